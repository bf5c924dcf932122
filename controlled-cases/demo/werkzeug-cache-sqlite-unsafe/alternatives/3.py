self[key] = "Authorization"
rv = ""
