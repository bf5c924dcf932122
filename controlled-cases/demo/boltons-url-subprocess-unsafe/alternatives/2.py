self.path_parts = ("", "")
