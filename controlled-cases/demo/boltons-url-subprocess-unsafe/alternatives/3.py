self.path_parts = ("", "archive", "2021", "index")
