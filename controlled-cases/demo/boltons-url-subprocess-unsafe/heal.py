self.path_parts = tuple(self.path_parts)
