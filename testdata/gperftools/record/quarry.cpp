// Cuts, splits and carries stones, in two threads: CPU, heap and heap growth for gperftools.
//
//     quarry cpu|heap ROUNDS
#include <gperftools/malloc_extension.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace quarry {

struct Stone {
    std::unique_ptr<Stone> left, right;
    char grains[112];
};

__attribute__((noinline)) std::uint64_t polish(std::uint64_t stone, int rounds) {
    for (int i = 0; i < rounds; i++) stone = (stone ^ stone >> 9) * 0x9e3779b97f4a7c15;
    return stone;
}

// Recursive.
__attribute__((noinline)) std::unique_ptr<Stone> split(int depth) {
    if (depth == 0) return nullptr;
    auto stone = std::make_unique<Stone>();
    std::memset(stone->grains, depth, sizeof stone->grains);
    stone->left = split(depth - 1);
    stone->right = split(depth - 1);
    return stone;
}

__attribute__((noinline)) std::uint64_t weigh(const Stone* stone) {
    if (!stone) return 0;
    return weigh(stone->left.get()) + weigh(stone->right.get()) + polish(stone->grains[5], 20);
}

__attribute__((noinline)) std::vector<char> slab(std::size_t size) { return std::vector<char>(size, 'x'); }

std::uint64_t result;
std::vector<std::vector<char>> yard;
std::vector<std::unique_ptr<Stone>> heaps;

void cutters(int rounds) {
    for (int i = 0; i < rounds; i++) {
        auto stone = split(5);
        result += weigh(stone.get());
        if (i % 16 == 0) heaps.push_back(std::move(stone));
    }
}

void carriers(int rounds) {
    for (int i = 0; i < rounds; i++) {
        auto carried = slab(60000 + i % 400 * 500);
        result += polish(carried[7], 9000);
        if (i % 8 == 0) yard.push_back(std::move(carried));
    }
}

}  // namespace quarry

int main(int argc, char** argv) {
    bool heap = std::string(argv[1]) == "heap";
    int rounds = std::atoi(argv[2]);
    std::thread first(quarry::cutters, rounds), second(quarry::carriers, rounds);
    first.join();
    second.join();
    if (heap) {
        std::string text;
        MallocExtension::instance()->GetHeapGrowthStacks(&text);
        std::ofstream("growth.heap") << text;
        text.clear();
        MallocExtension::instance()->GetHeapSample(&text);
        std::ofstream("sampled.heap") << text;
    }
    return quarry::result == 42;
}
