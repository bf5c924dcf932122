self.none_format[field] = "-"
