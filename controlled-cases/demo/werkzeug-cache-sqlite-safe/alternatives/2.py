healed_return = "*"
