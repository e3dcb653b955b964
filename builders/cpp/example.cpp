// The example of every builder: allocations with their use and reuse, on two threads.
#include <iostream>

#include "hotframe.hpp"

int main(int argc, char **argv) try {
    hotframe::Origin origin;
    origin.producer = "builders example 1.0";
    origin.time_ns = 1700000000000000000;
    hotframe::Profile profile(argc == 2 ? argv[1] : "example.hotframe", origin);
    const auto size = profile.metric("allocated", "bytes");
    const auto count = profile.metric("allocations", "count");
    const auto module = profile.module("/usr/bin/example", "c0ffee");
    const auto frame = [&](const char *function, const char *file, std::uint32_t line) {
        hotframe::Frame frame;
        frame.function = function;
        frame.file = file;
        frame.line = line;
        return frame;
    };
    auto main_frame = frame("main", "example.c", 10), grow_frame = frame("grow", "list.c", 21);
    main_frame.module = grow_frame.module = module;
    const auto start = profile.context(hotframe::root, profile.frame(main_frame));
    const auto grow = profile.context(start, profile.frame(grow_frame));
    auto list = frame("list", "", 0);
    list.kind = hotframe::Kind::data;
    const auto heap = profile.context(grow, profile.frame(list));
    auto walk_frame = frame("walk", "list.c", 40);
    walk_frame.inlined = {{"next", "list.h", 7}};
    const auto walk = profile.context(start, profile.frame(walk_frame));
    const auto process = profile.process("42", "example");
    const hotframe::Row threads[] = {
        profile.thread("1", "worker 1", process), profile.thread("2", "worker 2", process)};
    for (std::int64_t step = 0; step < 10; step++) {
        hotframe::Point point;
        point.context = heap;
        point.values = {{size, 4096 + step}, {count, 1}};
        point.labels = {
            {"phase", step < 5 ? "grow" : "steady"},
            {"step", hotframe::Quantity{step}},
            {"size", hotframe::Quantity{64 * step, "bytes"}}};
        point.time_ns = step * 1000000;
        point.thread = threads[step % 2];
        point.cpu = step % 4;
        point.links = {{"allocation", heap}, {"use", walk}, {"reuse", walk}};
        profile.point(point);
    }
    hotframe::Point last;
    last.context = walk;
    last.values = {{count, -1}};
    profile.point(last);
    profile.close();
} catch (const std::exception &error) {
    std::cerr << "example: " << error.what() << '\n';
    return 1;
}
