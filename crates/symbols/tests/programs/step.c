/* Another unit, in another language. */
static unsigned twice(unsigned x) { return x * 2 + 1; }

static __attribute__((noinline)) unsigned thrice(unsigned x) { return twice(x) * 3; }

unsigned step(unsigned x) {
    unsigned sum = 0;
    for (unsigned i = 0; i < x % 5; i++) sum += thrice(x + i) ^ twice(i);
    return sum;
}
