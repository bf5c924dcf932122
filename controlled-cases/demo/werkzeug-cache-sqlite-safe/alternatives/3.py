healed_return = ["no-cache", "no-store"]
