/* Variables of every kind that has one address, and some that have none. */
#include <stdint.h>

typedef double row[6];
struct point {
    int32_t x;
    double y[3];
};
enum colour { RED, GREEN };

double matrix[4][6];
row rows[3];
const volatile float plain[7] = {1};
struct point points[5];
static struct point one;
int64_t scalar;
char *names[2];
enum colour colours[9];
extern int32_t declared[];
int32_t declared[11];
extern char **environ;
_Thread_local int by_thread[8];

int count(int at) {
    static int16_t seen[10][2];
    int local[4] = {at};
    return seen[at][0] += local[at & 3];
}

int main(int argc, char **argv) {
    (void)argv;
    one.x += argc;
    return (int)matrix[argc][0] + (int)rows[0][argc] + (int)plain[argc] + points[argc].x + one.x +
           (int)scalar + (names[1] != 0) + (int)colours[argc] + declared[argc] + by_thread[argc] +
           count(argc) + (environ != 0);
}
