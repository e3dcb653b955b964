"""Orders of a shop: read, priced and summed up."""
