# Cycles per instruction
print(profile)
