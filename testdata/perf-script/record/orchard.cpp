// Grows trees, weighs them and hashes their names in two threads and a forked child:
// recursion, inlined frames, page faults and waits for perf to see.
//
//     orchard ROUNDS
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace orchard {

struct Tree {
    std::unique_ptr<Tree> left, right;
    std::uint64_t weight;
};

inline std::uint64_t rotate(std::uint64_t x, int by) { return x << by | x >> (64 - by); }

inline std::uint64_t mix(std::uint64_t x) {
    for (int i = 0; i < 24; i++) x = rotate(x * 0x9e3779b97f4a7c15, 27) ^ i;
    return x;
}

__attribute__((noinline)) std::uint64_t scramble(std::uint64_t seed, int times) {
    for (int i = 0; i < times; i++) seed += mix(seed);
    return seed;
}

__attribute__((noinline)) std::unique_ptr<Tree> grow(int depth, std::uint64_t seed) {
    if (depth == 0) return nullptr;
    auto tree = std::make_unique<Tree>();
    tree->weight = scramble(seed, 4) % 100;
    tree->left = grow(depth - 1, seed * 2);
    tree->right = grow(depth - 1, seed * 2 + 1);
    return tree;
}

// `odd` and `even` call each other on the way down.
std::uint64_t even(const Tree* tree);

__attribute__((noinline)) std::uint64_t odd(const Tree* tree) {
    return tree ? scramble(tree->weight, 6) % 7 + even(tree->left.get()) + even(tree->right.get()) : 0;
}

__attribute__((noinline)) std::uint64_t even(const Tree* tree) {
    return tree ? tree->weight + odd(tree->left.get()) + odd(tree->right.get()) : 0;
}

// Touches fresh pages and gives them back.
template <typename Cell>
__attribute__((noinline)) std::uint64_t fill(std::size_t cells) {
    std::vector<Cell> basket(cells);
    for (std::size_t i = 0; i < cells; i += 64) basket[i] = Cell(i);
    return basket[cells / 2];
}

std::uint64_t result;

void grower(int rounds) {
    prctl(PR_SET_NAME, "tree grower");
    for (int i = 0; i < rounds; i++) result += even(grow(6, i + 1).get());
}

void hasher(int rounds) {
    prctl(PR_SET_NAME, "hash/1: b [x] 7");
    for (int i = 0; i < rounds; i++) {
        result += scramble(i, 600);
        if (i % 64 == 0) usleep(1000);
    }
}

void picker(int rounds) {
    prctl(PR_SET_NAME, "apple picker");
    for (int i = 0; i < rounds / 8; i++) result += fill<std::uint32_t>(1 << 18);
}

}  // namespace orchard

int main(int argc, char** argv) {
    int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
    if (fork() == 0) {
        orchard::picker(rounds);
        return 0;
    }
    std::thread first(orchard::grower, rounds), second(orchard::hasher, rounds);
    first.join();
    second.join();
    wait(nullptr);
    return orchard::result == 42;
}
