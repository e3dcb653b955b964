// Writes Hotframe's exchange file from C++17: hotframe.h with ownership, exceptions and containers.
//
//     hotframe::Profile profile("run.hotframe");
//     auto time = profile.metric("time", "nanoseconds");
//     auto main = profile.context(hotframe::root, profile.frame({"main", "main.cpp", 3}));
//     profile.point({main, {{time, 1200}}});
//     profile.close();
//
// Compile ../c/hotframe.c with your programme. Errors are std::system_error; a destructor writes
// the rest and says nothing of errors, so close() where they matter.
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

#include "../c/hotframe.h"

namespace hotframe {

// The number of a row. The same arguments give the same row.
using Row = hf_row;

// The whole programme: the parent of the first frame of a stack.
inline constexpr Row root = HF_ROOT;

// What a frame is.
enum class Kind { code = HF_CODE, loop = HF_LOOP, data = HF_DATA, region = HF_REGION };

// Where a profile comes from. Nanoseconds, time_ns from 1970.
struct Origin {
    std::string producer{};
    std::int64_t time_ns = 0, duration_ns = 0;
    std::vector<std::string> comments{};
};

// A function that was inlined.
struct Inlined {
    std::string function{}, file{};
    std::uint32_t line = 0;
};

// A place in code; what is unknown is empty or 0. Inlined functions stand outermost first.
struct Frame {
    std::string function{}, file{};
    std::uint32_t line = 0, column = 0, start_line = 0;
    std::optional<Row> module{};
    std::uint64_t address = 0;
    Kind kind = Kind::code;
    std::vector<Inlined> inlined{};
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
    Row context = root;
};

// A monitoring point: values by metric, measured in a context. time_ns counts from the start of
// the profile. If there are links, the point's own context must be among them.
struct Point {
    Row context = root;
    std::map<Row, std::int64_t> values{};
    std::vector<Label> labels{};
    std::optional<std::int64_t> time_ns{};
    std::optional<Row> thread{};
    std::optional<std::uint32_t> cpu{};
    Row member = 0;
    std::vector<Link> links{};
};

// A profile under construction. Move-only; not to be used by several threads at once.
class Profile {
public:
    explicit Profile(const std::string &path, const Origin &origin = {}) {
        const auto raw = origin_of(origin);
        profile_ = hf_open(path.c_str(), &raw.origin);
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
        if (profile_ != nullptr) hf_close(profile_);
    }

    // A metric. Values count 10^-decimals of the unit. All must come before the first point.
    Row metric(const std::string &name, const std::string &unit, std::uint32_t decimals = 0) {
        const Row row = checked(hf_metric(profile_, name.c_str(), unit.c_str(), decimals));
        metrics_ = row + 1 > metrics_ ? row + 1 : metrics_;
        return row;
    }

    // A binary or library.
    Row module(const std::string &path, const std::string &build_id = "") {
        return checked(hf_module(profile_, path.c_str(), build_id.c_str()));
    }

    // A place in code.
    Row frame(const Frame &frame) {
        std::vector<hf_inlined> inlined;
        for (const auto &one : frame.inlined) {
            inlined.push_back({one.function.c_str(), one.file.c_str(), one.line});
        }
        hf_place place{};
        place.function = frame.function.c_str();
        place.file = frame.file.c_str();
        place.line = frame.line;
        place.column = frame.column;
        place.start_line = frame.start_line;
        place.module_plus_1 = plus_1(frame.module);
        place.address = frame.address;
        place.kind = static_cast<hf_kind>(frame.kind);
        place.inlined = inlined.data();
        place.inlined_count = inlined.size();
        return checked(hf_frame(profile_, &place));
    }

    // A frame called from the context parent.
    Row context(Row parent, Row frame) { return checked(hf_context(profile_, parent, frame)); }

    // The context of a stack of frames, the outermost first.
    Row stack(const std::vector<Row> &frames) {
        Row at = root;
        for (const Row frame : frames) at = context(at, frame);
        return at;
    }

    // A process, or a rank of a parallel programme.
    Row process(const std::string &id, const std::string &name = "") {
        return checked(hf_process(profile_, id.c_str(), name.c_str()));
    }

    // A thread.
    Row thread(const std::string &id, const std::string &name = "", std::optional<Row> process = {}) {
        return checked(hf_thread(profile_, id.c_str(), name.c_str(), plus_1(process)));
    }

    // One of several profiles in the file: a snapshot, a run.
    Row member(const std::string &name, std::int64_t time_ns = 0, std::int64_t duration_ns = 0) {
        return checked(hf_member(profile_, name.c_str(), time_ns, duration_ns));
    }

    // Adds a monitoring point.
    void point(const Point &point) {
        std::vector<std::int64_t> values(metrics_);
        for (const auto &[metric, value] : point.values) {
            if (metric >= metrics_) raise(EINVAL, "a point names a metric that is not defined");
            values[metric] = value;
        }
        std::vector<hf_label> labels;
        for (const auto &label : point.labels) {
            hf_label raw{label.key.c_str(), nullptr, 0, nullptr};
            if (const auto *text = std::get_if<std::string>(&label.value)) {
                raw.text = text->c_str();
            } else {
                const auto &quantity = std::get<Quantity>(label.value);
                raw.number = quantity.number;
                raw.unit = quantity.unit.c_str();
            }
            labels.push_back(raw);
        }
        std::vector<hf_link> links;
        for (const auto &link : point.links) links.push_back({link.role.c_str(), link.context});
        hf_point_info info{};
        info.context = point.context;
        info.values = values.data();
        info.labels = labels.data();
        info.label_count = labels.size();
        info.time_ns = point.time_ns ? &*point.time_ns : nullptr;
        info.thread_plus_1 = plus_1(point.thread);
        info.cpu_plus_1 = point.cpu ? *point.cpu + 1 : 0;
        info.member = point.member;
        info.links = links.data();
        info.link_count = links.size();
        if (const int error = hf_point(profile_, &info)) raise(error, "cannot add a point");
    }

    // Writes what is known so far. A file that ends here is a sound profile.
    void flush() {
        if (const int error = hf_flush(profile_)) raise(error, "cannot write the profile");
    }

    // Writes the rest.
    void close() {
        if (const int error = hf_close(std::exchange(profile_, nullptr))) {
            raise(error, "cannot write the profile");
        }
    }

private:
    // An origin in C's words; it borrows the texts.
    struct RawOrigin {
        std::vector<const char *> comments;
        hf_origin origin;
    };

    static RawOrigin origin_of(const Origin &origin) {
        RawOrigin raw{};
        for (const auto &comment : origin.comments) raw.comments.push_back(comment.c_str());
        raw.origin.producer = origin.producer.c_str();
        raw.origin.time_ns = origin.time_ns;
        raw.origin.duration_ns = origin.duration_ns;
        raw.origin.comments = raw.comments.data();
        raw.origin.comment_count = raw.comments.size();
        return raw;
    }

    template <typename Number>
    static std::uint64_t plus_1(const std::optional<Number> &row) {
        return row ? *row + 1 : 0;
    }

    [[noreturn]] static void raise(int error, const std::string &what) {
        throw std::system_error(error, std::generic_category(), what);
    }

    Row checked(Row row) {
        if (row == HF_NONE) raise(hf_error(profile_), "cannot add to the profile");
        return row;
    }

    hf_profile *profile_ = nullptr;
    std::uint64_t metrics_ = 0;
};

}  // namespace hotframe

#endif
