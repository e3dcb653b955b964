// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026 The Hotframe authors
//
// Writes Hotframe's exchange file from C++17: hotframe.h with ownership, exceptions and containers.
//
//     hotframe::Profile profile("run.hotframe");
//     auto time = profile.metric("time", "nanoseconds");
//     auto main = profile.context(hotframe::root, profile.frame({"main", "main.cpp", 3}));
//     profile.point({main, {{time, 1200}}});
//     profile.close();
//
// Compile hotframe.c with your program. A call that is wrong is refused: it throws
// std::system_error and changes nothing. A destructor writes the rest and says nothing of errors,
// so close() where they matter.
#ifndef HOTFRAME_HPP
#define HOTFRAME_HPP

#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#if __has_include("hotframe.h")
#include "hotframe.h"
#else
#include "../c/hotframe.h"
#endif

namespace hotframe {

// The number of a row, of a type for each table. The same arguments give the same row.
template <typename Table>
struct Row {
    hf_row number = 0;
    constexpr explicit Row(hf_row number) : number(number) {}
    friend constexpr bool operator==(Row left, Row right) { return left.number == right.number; }
    friend constexpr bool operator<(Row left, Row right) { return left.number < right.number; }
};

using MetricRow = Row<struct MetricTable>;
using ModuleRow = Row<struct ModuleTable>;
using FrameRow = Row<struct FrameTable>;
using ContextRow = Row<struct ContextTable>;
using ProcessRow = Row<struct ProcessTable>;
using ThreadRow = Row<struct ThreadTable>;
using MemberRow = Row<struct MemberTable>;

// The whole program: the parent of the first frame of a stack.
inline constexpr ContextRow root{HF_ROOT};

// What a frame is: code of a function; a loop of the function around it; a variable, or the memory
// that its parent context allocated; a phase, an annotation, an event; a basic block of the function
// around it: instructions that run one after the other.
enum class Kind { code = HF_CODE, loop = HF_LOOP, data = HF_DATA, region = HF_REGION, block = HF_BLOCK };

// What several values together say: `last` in time, of points without time the last in the file;
// `none` if there is no such figure.
enum class Combine {
    sum = HF_SUM,
    maximum = HF_MAXIMUM,
    minimum = HF_MINIMUM,
    last = HF_LAST,
    mean = HF_MEAN,
    none = HF_NO_FIGURE,
};

// How a metric combines: over the contexts below one, or several contexts shown as one; over the
// times of one context; over several members. The weight is of a mean.
struct Combining {
    Combine over_contexts = Combine::sum, over_time = Combine::sum, over_members = Combine::sum;
    std::optional<MetricRow> weight{};
};

// Where a profile comes from; what is unknown is empty or 0.
struct Origin {
    std::string producer{};        // what measured it, with version
    std::int64_t time_ns = 0;      // start, in nanoseconds since 1970; 0 if unknown
    std::int64_t duration_ns = 0;  // length in nanoseconds; 0 if unknown
    std::int64_t clock_ns = 0;     // what the producer's own clock showed at time 0 of the points, in nanoseconds
    std::int64_t period = 0;       // events between two samples, and what they count
    std::string period_type{}, period_unit{};
    std::vector<std::string> comments{};
};

// The mapping of a module: first address, first address after it, offset in the file.
struct Mapping {
    std::uint64_t memory_start = 0, memory_limit = 0, file_offset = 0;
};

// A function that was inlined; system_name is the linker's name.
struct Inlined {
    std::string function{}, file{};
    std::uint32_t line = 0, column = 0, start_line = 0;
    std::string system_name{};
};

// A place in code; what is unknown is empty or 0. Inlined functions stand outermost first.
struct Frame {
    std::string function{}, file{};
    std::uint32_t line = 0, column = 0, start_line = 0;
    std::string system_name{};  // the linker's name
    std::optional<ModuleRow> module{};
    std::uint64_t address = 0;
    Kind kind = Kind::code;
    std::vector<Inlined> inlined{};
    std::string instruction{};  // the instruction at the address, as a disassembler writes it
};

// One of several profiles in the file: a snapshot, a run; what is unknown is empty or 0.
struct Member {
    std::string name{}, producer{}, host{};
    std::int64_t time_ns = 0;      // start, in nanoseconds since 1970; 0 if unknown
    std::int64_t duration_ns = 0;  // length in nanoseconds; 0 if unknown
};

// A number with a unit.
struct Quantity {
    std::int64_t number = 0;
    std::string unit{};
};

// A label: a text or a number.
struct Label {
    std::string key{};
    std::variant<std::string, Quantity> value{};
};

// A context that a point relates, with its role.
struct Link {
    std::string role{};
    ContextRow context = root;
};

// A monitoring point: values by metric, measured in a context; a metric without a value is 0. If
// there are links, the point's own context must be among them.
struct Point {
    ContextRow context = root;
    std::map<MetricRow, std::int64_t> values{};
    std::vector<Label> labels{};
    std::optional<std::int64_t> time_ns{};  // nanoseconds after the start of the member, or of the profile
    std::optional<ThreadRow> thread{};
    std::optional<std::uint32_t> cpu{};
    std::optional<MemberRow> member{};
    std::vector<Link> links{};
};

// What is to be said of a place: of one context, function or line, or, if none is given, of the whole
// program. Texts are plain.
struct Note {
    std::string title{}, text{};  // a few words, and more of it
    std::string link{};           // where more is said: begins with https://, http:// or file://; may be empty
    ContextRow context = root;
    std::optional<FrameRow> frame{};  // its function, wherever it is called
    std::string file{};               // a source file, and a line of it, from 1
    std::uint32_t line = 0;
};

// A profile under construction. Move-only; not to be used by several threads at once.
class Profile {
public:
    explicit Profile(const std::string &path, const Origin &origin = {}) {
        const auto raw = origin_of(origin);
        profile_ = hf_open(text(path), &raw.origin);
        if (profile_ == nullptr) raise(errno, path);
    }

    // Writes to a stream, which stays open.
    explicit Profile(std::FILE *out, const Origin &origin = {}) {
        const auto raw = origin_of(origin);
        profile_ = hf_new(out, &raw.origin);
        if (profile_ == nullptr) raise(errno, "a stream");
    }

    Profile(Profile &&other) noexcept
        : profile_(std::exchange(other.profile_, nullptr)), metrics_(other.metrics_) {}

    Profile &operator=(Profile &&other) noexcept {
        std::swap(profile_, other.profile_);
        std::swap(metrics_, other.metrics_);
        return *this;
    }

    Profile(const Profile &) = delete;
    Profile &operator=(const Profile &) = delete;

    ~Profile() {
        if (profile_ != nullptr) hf_close(&profile_);
    }

    // A metric. Values count 10^-decimals of the unit; at most 18 decimals. All must come before
    // the first point.
    MetricRow metric(const std::string &name, const std::string &unit, std::uint32_t decimals = 0,
                     const Combining &combining = {}) {
        hf_metric_info info{};
        info.name = text(name);
        info.unit = text(unit);
        info.decimals = decimals;
        info.over_contexts = static_cast<hf_combine>(combining.over_contexts);
        info.over_time = static_cast<hf_combine>(combining.over_time);
        info.over_members = static_cast<hf_combine>(combining.over_members);
        info.weight_plus_1 = plus_1(combining.weight);
        const hf_row row = checked(hf_metric(profile_, &info), "a metric");
        metrics_ = row + 1 > metrics_ ? row + 1 : metrics_;
        return MetricRow(row);
    }

    // A binary or library.
    ModuleRow module(const std::string &path, const std::string &build_id = "", const Mapping &mapping = {}) {
        const hf_module_info info{text(path), text(build_id), mapping.memory_start, mapping.memory_limit,
                                  mapping.file_offset};
        return ModuleRow(checked(hf_module(profile_, &info), "a module"));
    }

    // A place in code.
    FrameRow frame(const Frame &frame) {
        std::vector<hf_inlined> inlined;
        for (const auto &one : frame.inlined) {
            inlined.push_back({text(one.function), text(one.file), one.line, one.column, one.start_line,
                               text(one.system_name)});
        }
        hf_place place{};
        place.function = text(frame.function);
        place.file = text(frame.file);
        place.line = frame.line;
        place.column = frame.column;
        place.start_line = frame.start_line;
        place.system_name = text(frame.system_name);
        place.module_plus_1 = plus_1(frame.module);
        place.address = frame.address;
        place.kind = static_cast<hf_kind>(frame.kind);
        place.inlined = inlined.data();
        place.inlined_count = inlined.size();
        place.instruction = text(frame.instruction);
        return FrameRow(checked(hf_frame(profile_, &place), "a frame"));
    }

    // A frame called from the context parent.
    ContextRow context(ContextRow parent, FrameRow frame) {
        return ContextRow(checked(hf_context(profile_, parent.number, frame.number), "a context"));
    }

    // The context of a stack of frames, the outermost first.
    ContextRow stack(const std::vector<FrameRow> &frames) {
        ContextRow at = root;
        for (const FrameRow frame : frames) at = context(at, frame);
        return at;
    }

    // A process, or a rank of a parallel program.
    ProcessRow process(const std::string &id, const std::string &name = "") {
        return ProcessRow(checked(hf_process(profile_, text(id), text(name)), "a process"));
    }

    // A thread.
    ThreadRow thread(const std::string &id, const std::string &name = "", std::optional<ProcessRow> process = {}) {
        return ThreadRow(checked(hf_thread(profile_, text(id), text(name), plus_1(process)), "a thread"));
    }

    // One of several profiles in the file: a snapshot, a run.
    MemberRow member(const Member &member) {
        const hf_member_info info{text(member.name), text(member.producer), text(member.host), member.time_ns,
                                  member.duration_ns};
        return MemberRow(checked(hf_member(profile_, &info), "a member"));
    }

    // The metric to show first.
    void default_metric(MetricRow metric) {
        if (const int error = hf_default_metric(profile_, metric.number)) raise(error, "no such metric");
    }

    // The profile's length in nanoseconds, once it is known.
    void duration(std::int64_t duration_ns) {
        if (const int error = hf_duration(profile_, duration_ns)) raise(error, "cannot set the duration");
    }

    // Adds a monitoring point.
    void point(const Point &point) {
        std::vector<std::int64_t> values(metrics_);
        for (const auto &[metric, value] : point.values) {
            if (metric.number >= metrics_) raise(EINVAL, "a point names a metric that is not defined");
            values[metric.number] = value;
        }
        std::vector<hf_label> labels;
        for (const auto &label : point.labels) {
            hf_label raw{text(label.key), nullptr, 0, nullptr};
            if (const auto *name = std::get_if<std::string>(&label.value)) {
                raw.text = text(*name);
            } else {
                const auto &quantity = std::get<Quantity>(label.value);
                raw.number = quantity.number;
                raw.unit = text(quantity.unit);
            }
            labels.push_back(raw);
        }
        std::vector<hf_link> links;
        for (const auto &link : point.links) links.push_back({text(link.role), link.context.number});
        if (point.cpu == UINT32_MAX) raise(EINVAL, "there is no such processor");
        hf_point_info info{};
        info.context = point.context.number;
        info.values = values.data();
        info.value_count = values.size();
        info.labels = labels.data();
        info.label_count = labels.size();
        info.time_ns = point.time_ns ? &*point.time_ns : nullptr;
        info.thread_plus_1 = plus_1(point.thread);
        info.cpu_plus_1 = point.cpu ? *point.cpu + 1 : 0;
        info.member = point.member ? point.member->number : 0;
        info.links = links.data();
        info.link_count = links.size();
        if (const int error = hf_point(profile_, &info)) raise(error, "cannot add a point");
    }

    // Says something of a place.
    void note(const Note &note) {
        const hf_note_info info{text(note.title), text(note.text), text(note.link), note.context.number,
                                plus_1(note.frame), text(note.file), note.line};
        if (const int error = hf_note(profile_, &info)) raise(error, "cannot add a note");
    }

    // Writes what is known so far. A file that ends here is a sound profile.
    void flush() {
        if (const int error = hf_flush(profile_)) raise(error, "cannot write the profile");
    }

    // Writes the rest. Later calls are refused.
    void close() {
        if (profile_ == nullptr) raise(EINVAL, "the profile is closed");
        const int refused = hf_error(profile_);
        const int error = hf_close(&profile_);
        // What was refused was thrown then.
        if (error != 0 && error != refused) raise(error, "cannot write the profile");
    }

private:
    // An origin in C's words; it borrows the texts.
    struct RawOrigin {
        std::vector<const char *> comments;
        hf_origin origin;
    };

    static RawOrigin origin_of(const Origin &origin) {
        RawOrigin raw{};
        for (const auto &comment : origin.comments) raw.comments.push_back(text(comment));
        raw.origin.producer = text(origin.producer);
        raw.origin.time_ns = origin.time_ns;
        raw.origin.duration_ns = origin.duration_ns;
        raw.origin.clock_ns = origin.clock_ns;
        raw.origin.period = origin.period;
        raw.origin.period_type = text(origin.period_type);
        raw.origin.period_unit = text(origin.period_unit);
        raw.origin.comments = raw.comments.data();
        raw.origin.comment_count = raw.comments.size();
        return raw;
    }

    // A text for C, which ends at its first 0.
    static const char *text(const std::string &from) {
        if (from.find('\0') != std::string::npos) raise(EINVAL, "a text has a 0 in it");
        return from.c_str();
    }

    // No row becomes 0, and one that does not exist stays one.
    template <typename Table>
    static hf_row plus_1(const std::optional<Row<Table>> &row) {
        if (row && row->number == HF_NONE) raise(EINVAL, "there is no such row");
        return row ? row->number + 1 : 0;
    }

    [[noreturn]] static void raise(int error, const std::string &what) {
        throw std::system_error(error, std::generic_category(), what);
    }

    static hf_row checked(hf_row row, const char *what) {
        if (row == HF_NONE) raise(errno, std::string("cannot add ") + what);
        return row;
    }

    hf_profile *profile_ = nullptr;
    std::uint64_t metrics_ = 0;
};

}  // namespace hotframe

#endif
