// Functions inside of functions: inlined, in templates, in lambdas, in another unit.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" unsigned step(unsigned x);

volatile unsigned sink;

namespace shapes {
struct Square {
    unsigned side;
    __attribute__((always_inline)) unsigned area() const { return step(side) * side; }
};

template <class Shape>
__attribute__((noinline)) unsigned total(const std::vector<Shape> &all) {
    unsigned sum = 0;
    for (const Shape &one : all) sum += one.area();
    return sum;
}
}  // namespace shapes

static inline __attribute__((always_inline)) unsigned inner(unsigned x) {
    for (int i = 0; i < 7; i++) x = x * 1664525u + 1013904223u;
    return x;
}

static inline __attribute__((always_inline)) unsigned middle(unsigned x) {
    for (int i = 0; i < 3; i++) x ^= inner(x + i);
    return step(x);
}

__attribute__((noinline)) unsigned outer(unsigned x) {
    if (x & 1) x += middle(x);
    return x + middle(x >> 1);
}

static __attribute__((noinline)) void sorted(std::vector<unsigned> &values) {
    std::sort(values.begin(), values.end(), [](unsigned a, unsigned b) { return (a ^ 5) < (b ^ 5); });
}

int main(int count, char **) {
    std::vector<unsigned> values(100);
    for (unsigned &value : values) value = outer(unsigned(count) * 7);
    sorted(values);
    std::vector<shapes::Square> squares;
    for (unsigned value : values) squares.push_back({value});
    sink = shapes::total(squares);
    std::printf("%s\n", std::to_string(sink).c_str());
}
