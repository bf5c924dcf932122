self.path_parts = ("", "manual", "index")
