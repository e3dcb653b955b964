// The example of every builder: allocations with their use and reuse, on two threads.
#include <iostream>

#include "hotframe.hpp"

int main(int argc, char **argv) try {
    hotframe::Origin origin;
    origin.producer = "builders example 1.0";
    origin.time_ns = 1700000000000000000;
    origin.clock_ns = 5000;
    origin.period = 512;
    origin.period_type = "space";
    origin.period_unit = "bytes";
    hotframe::Profile profile(argc == 2 ? argv[1] : "example.hotframe", origin);
    const auto size = profile.metric("allocated", "bytes");
    const auto count = profile.metric("allocations", "count");
    using hotframe::Combine;
    const auto lifetime = profile.metric(
        "lifetime", "seconds", 3, {Combine::mean, Combine::mean, Combine::none, count});
    profile.default_metric(count);
    const auto module = profile.module(
        "/usr/bin/example", "c0ffee", {0xffffffff81000000, 0xffffffff82000000, 4096});
    hotframe::Frame main_frame{"main", "example.c", 10, 0, 8};
    main_frame.module = module;
    hotframe::Frame grow_frame{"List::grow", "list.cpp", 21};
    grow_frame.system_name = "_ZN4List4growEv";
    grow_frame.module = module;
    grow_frame.address = 0xffffffff81000010;
    grow_frame.instruction = "call malloc";
    const auto start = profile.context(hotframe::root, profile.frame(main_frame));
    const auto grow_row = profile.frame(grow_frame);
    const auto grow = profile.context(start, grow_row);
    hotframe::Frame list{"list"};
    list.kind = hotframe::Kind::data;
    const auto heap = profile.context(grow, profile.frame(list));
    hotframe::Frame walk_frame{"walk", "list.cpp", 40};
    walk_frame.inlined = {{"next", "list.h", 7}};
    const auto walk = profile.context(start, profile.frame(walk_frame));
    hotframe::Frame block_frame{"next", "list.h", 8};
    block_frame.module = module;
    block_frame.address = 0xffffffff81000020;
    block_frame.kind = hotframe::Kind::block;
    block_frame.instruction = "mov rax, [rax + 8]";
    const auto block = profile.context(walk, profile.frame(block_frame));
    const auto process = profile.process("42", "example");
    const hotframe::ThreadRow threads[] = {
        profile.thread("1", "worker 1", process), profile.thread("2", "worker 2", process)};
    profile.member({"run 1", "", "node 1", 1700000000000000000});
    for (std::int64_t step = 0; step < 10; step++) {
        hotframe::Point point;
        point.context = heap;
        point.values = {{size, 4096 + step}, {count, 1}, {lifetime, 250}};
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
    last.context = block;
    last.values = {{count, -1}};
    profile.point(last);
    profile.note({"Sampled", "One in 512 bytes was seen."});
    profile.note({"Reused", "What is read here is read again.", "https://example.com/reuse", heap});
    hotframe::Note grows{"Grows by one"};
    grows.frame = grow_row;
    profile.note(grows);
    hotframe::Note chases{"Chases pointers", "An array is faster."};
    chases.file = "list.cpp";
    chases.line = 40;
    profile.note(chases);
    profile.duration(9000000);
    profile.close();
} catch (const std::exception &error) {
    std::cerr << "example: " << error.what() << '\n';
    return 1;
}
