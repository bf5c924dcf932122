healed_return = None
