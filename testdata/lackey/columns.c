/* Sums of columns in several orders, without a library, so that nothing else happens in memory. `volatile`
   keeps every access. */
enum { ROWS = 24, COLUMNS = 12 };

__attribute__((aligned(64))) volatile double table[ROWS][COLUMNS];
__attribute__((aligned(64))) volatile double sums[COLUMNS];
__attribute__((aligned(64))) static volatile short order[7];

void _start(void) {
    for (int i = 0; i < 7; i++)
        order[i] = (short)(i * 3 % 7);
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < ROWS; i++) {
            double one = table[i][j];
            sums[j] = sums[j] + one;
        }
    for (int i = 0; i < 7; i++)
        sums[i] = table[order[i]][i];
#if defined(__x86_64__)
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
#elif defined(__aarch64__)
    register long number __asm__("x8") = 93;
    register long code __asm__("x0") = 0;
    __asm__ volatile("svc 0" : : "r"(number), "r"(code));
#endif
    for (;;)
        ;
}
