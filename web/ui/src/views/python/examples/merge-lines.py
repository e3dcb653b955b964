# Merge nodes of one source line
print(profile)
