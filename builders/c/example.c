/* The example of every builder: allocations with their use and reuse, on two threads. */
#include "hotframe.h"

int main(int argc, char **argv) {
    const hf_origin origin = {
        .producer = "builders example 1.0", .time_ns = 1700000000000000000, .clock_ns = 5000,
        .period = 512, .period_type = "space", .period_unit = "bytes",
    };
    hf_profile *profile = argc == 2 ? hf_open(argv[1], &origin) : NULL;
    if (profile == NULL) {
        perror("example");
        return 1;
    }
    hf_metric(profile, &(hf_metric_info){.name = "allocated", .unit = "bytes"});
    hf_row count = hf_metric(profile, &(hf_metric_info){.name = "allocations", .unit = "count"});
    hf_metric(profile, &(hf_metric_info){
        .name = "lifetime", .unit = "seconds", .decimals = 3, .over_contexts = HF_MEAN, .over_time = HF_MEAN,
        .over_members = HF_NO_FIGURE, .weight_plus_1 = 1 + count,
    });
    hf_default_metric(profile, count);
    hf_row module = 1 + hf_module(profile, &(hf_module_info){
        .path = "/usr/bin/example", .build_id = "c0ffee",
        .memory_start = 0xffffffff81000000, .memory_limit = 0xffffffff82000000, .file_offset = 4096,
    });
    hf_row start = hf_context(profile, HF_ROOT, hf_frame(profile, &(hf_place){
        .function = "main", .file = "example.c", .line = 10, .start_line = 8, .module_plus_1 = module,
    }));
    hf_row grow_frame = hf_frame(profile, &(hf_place){
        .function = "List::grow", .system_name = "_ZN4List4growEv", .file = "list.cpp", .line = 21,
        .module_plus_1 = module, .address = 0xffffffff81000010, .instruction = "call malloc",
    });
    hf_row grow = hf_context(profile, start, grow_frame);
    hf_row heap = hf_context(profile, grow, hf_frame(profile, &(hf_place){.function = "list", .kind = HF_DATA}));
    const hf_inlined next = {.function = "next", .file = "list.h", .line = 7};
    hf_row walk = hf_context(profile, start, hf_frame(profile, &(hf_place){
        .function = "walk", .file = "list.cpp", .line = 40, .inlined = &next, .inlined_count = 1,
    }));
    hf_row step_block = hf_context(profile, walk, hf_frame(profile, &(hf_place){
        .function = "next", .file = "list.h", .line = 8, .module_plus_1 = module, .address = 0xffffffff81000020,
        .kind = HF_BLOCK, .instruction = "mov rax, [rax + 8]",
    }));
    hf_row process = 1 + hf_process(profile, "42", "example");
    hf_row threads[2] = {hf_thread(profile, "1", "worker 1", process), hf_thread(profile, "2", "worker 2", process)};
    hf_member(profile, &(hf_member_info){.name = "run 1", .host = "node 1", .time_ns = 1700000000000000000});
    const hf_link links[] = {{"allocation", heap}, {"use", walk}, {"reuse", walk}};
    for (int step = 0; step < 10; step++) {
        const int64_t time_ns = step * 1000000;
        const hf_label labels[] = {
            {.key = "phase", .text = step < 5 ? "grow" : "steady"},
            {.key = "step", .number = step},
            {.key = "size", .number = 64 * step, .unit = "bytes"},
        };
        hf_point(profile, &(hf_point_info){
            .context = heap, .values = (int64_t[]){4096 + step, 1, 250}, .value_count = 3,
            .labels = labels, .label_count = 3, .time_ns = &time_ns,
            .thread_plus_1 = 1 + threads[step % 2], .cpu_plus_1 = 1 + step % 4, .links = links, .link_count = 3,
        });
    }
    hf_point(profile, &(hf_point_info){.context = step_block, .values = (int64_t[]){0, -1, 0}, .value_count = 3});
    hf_note(profile, &(hf_note_info){.title = "Sampled", .text = "One in 512 bytes was seen."});
    hf_note(profile, &(hf_note_info){
        .title = "Reused", .text = "What is read here is read again.", .link = "https://example.com/reuse",
        .context = heap,
    });
    hf_note(profile, &(hf_note_info){.title = "Grows by one", .frame_plus_1 = 1 + grow_frame});
    hf_note(profile, &(hf_note_info){
        .title = "Chases pointers", .text = "An array is faster.", .file = "list.cpp", .line = 40,
    });
    hf_duration(profile, 9000000);
    if (hf_close(&profile) != 0) {
        perror(argv[1]);
        return 1;
    }
    return 0;
}
