self[key] = "*"
rv = "*"
