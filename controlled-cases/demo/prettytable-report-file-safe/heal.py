self.none_format[field] = None
