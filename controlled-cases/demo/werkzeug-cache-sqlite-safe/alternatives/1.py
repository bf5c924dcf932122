self[key] = "Set-Cookie"
rv = None
