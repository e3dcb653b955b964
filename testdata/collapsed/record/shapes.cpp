// Sorts, hashes and formats shapes: C++ names with templates, spaces, arrows and
// semicolon-free lambdas for perf to see.
//
//     shapes ROUNDS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    bool operator<(const Shape& other) const { return area() < other.area(); }
};

struct Rectangle final : Shape {
    double width, height;
    Rectangle(double w, double h) : width(w), height(h) {}
    __attribute__((noinline)) double area() const override { return width * height; }
};

// A group of shapes nests, so that `area` is recursive.
struct Group final : Shape {
    std::vector<std::unique_ptr<Shape>> members;
    __attribute__((noinline)) double area() const override {
        double sum = 0;
        for (const auto& member : members) sum += member->area();
        return sum;
    }
};

__attribute__((noinline)) std::unique_ptr<Shape> grow(int depth, unsigned seed) {
    if (depth == 0) return std::make_unique<Rectangle>(seed % 7 + 1, seed % 11 + 1);
    auto group = std::make_unique<Group>();
    for (unsigned i = 0; i < 3; i++) group->members.push_back(grow(depth - 1, seed * 31 + i));
    return group;
}

template <typename Key>
__attribute__((noinline)) std::string describe(const std::map<Key, std::string>& names) {
    std::ostringstream text;
    for (const auto& [key, name] : names) text << key << "->" << name << '\n';
    return text.str();
}

}  // namespace

int main(int argc, char** argv) {
    int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
    std::size_t length = 0;
    for (int round = 0; round < rounds; round++) {
        std::vector<std::unique_ptr<Shape>> shapes;
        for (unsigned seed = 0; seed < 60; seed++) shapes.push_back(grow(4, seed + round));
        std::sort(shapes.begin(), shapes.end(), [](auto& a, auto& b) { return *a < *b; });
        std::map<int, std::string> names;
        std::function<void(int)> add = [&](int key) { names[key] = std::to_string(key * round); };
        for (int key = 0; key < 400; key++) add(key * 7919 % 1000);
        length += describe(names).size();
    }
    std::printf("%zu\n", length);
}
