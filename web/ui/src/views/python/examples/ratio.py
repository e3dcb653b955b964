# Ratio in place of difference
print(profile)
