// Leaks of which some are suppressed, as LeakSanitizer's users write it: `saucer` by name, `cup*` by
// its start and end, all of `spoons` by its caller. `plate` and `cup` alone leak.
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

__attribute__((used)) const char *__lsan_default_suppressions(void) {
    return "# what the test knows of\nleak:saucer\nleak:^cup*small$\nleak:spoons\nleak:never\n";
}

static void *volatile kept;

NOINLINE static void keep(void *leak) { kept = leak; }
NOINLINE static void saucer(void) { keep(malloc(100)); }
NOINLINE static void cup(void) { keep(malloc(200)); }
NOINLINE static void cup_small(void) { keep(malloc(300)); }
NOINLINE static void plate(void) { keep(malloc(400)); }
NOINLINE static void spoon(int size) { keep(malloc(size)); }
NOINLINE static void spoons(void) {
    spoon(10);
    spoon(20);
    free(malloc(5000));
}

int main(void) {
    saucer();
    cup();
    cup_small();
    plate();
    spoons();
    spoon(40);
    tzset(); // allocates in a function that heaptrack suppresses itself
    return kept == NULL;
}
