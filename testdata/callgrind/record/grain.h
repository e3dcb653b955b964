// Inlined into both functions that use it: cost of another file.
static inline unsigned long grind(unsigned long grain) {
    for (int i = 0; i < 6; i++) grain = (grain ^ grain >> 7) * 0x9e3779b97f4a7c15UL;
    return grain;
}
