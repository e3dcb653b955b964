// Puts numbered jars on a shelf with the standard library, whose templates are inlined into each
// other from many headers and call each other from there.
#include <algorithm>
#include <numeric>
#include <vector>

__attribute__((noinline)) static std::vector<int> jars(int count) {
    std::vector<int> all;
    unsigned state = 7;
    for (int row = 0; row < count; row++) {
        state = state * 1664525u + 1013904223u;
        all.push_back(state >> 20);
    }
    return all;
}

// Calls itself, once a level.
__attribute__((noinline)) static int weigh(const int *first, const int *last, int levels) {
    int own = std::accumulate(first, last, levels);
    return levels == 0 ? own : own ^ weigh(first + (last - first) / 2, last, levels - 1);
}

int main(int argc, char **argv) {
    std::vector<int> all = jars(300);
    std::sort(all.data(), all.data() + all.size());
    std::rotate(all.begin(), all.begin() + argc, all.end());
    std::stable_sort(all.data(), all.data() + all.size(), [](int a, int b) { return a % 10 < b % 10; });
    return weigh(all.data(), all.data() + all.size(), 3) == 0;
}
