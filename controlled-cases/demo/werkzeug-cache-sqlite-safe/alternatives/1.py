healed_return = "Set-Cookie"
