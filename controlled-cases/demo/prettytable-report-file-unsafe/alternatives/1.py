self.none_format[field] = "n/a"
