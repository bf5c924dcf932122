self[key] = None
rv = None
