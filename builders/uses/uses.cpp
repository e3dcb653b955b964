// Says the calls of uses.txt to the builder for C++.
#include <charconv>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <type_traits>

#include "hotframe.hpp"

using namespace hotframe;

// What the types of C++ rule out.
struct Unsayable {};

using Arguments = std::map<std::string, std::string>;

static std::string text(const Arguments &given, const std::string &key) {
    const auto found = given.find(key);
    if (found == given.end()) return "";
    if (found->second == "null") throw Unsayable{};
    return found->second;
}

template <typename Number>
static Number number(const std::string &from) {
    Number found{};
    const auto end = from.data() + from.size();
    const auto [at, error] = std::from_chars(from.data(), end, found);
    if (error != std::errc{} || at != end) throw Unsayable{};
    return found;
}

template <typename Number>
static Number number(const Arguments &given, const std::string &key) {
    return given.count(key) ? number<Number>(given.at(key)) : Number{};
}

template <typename RowOf>
static std::optional<RowOf> row(const Arguments &given, const std::string &key) {
    if (!given.count(key)) return {};
    return RowOf(number<std::uint64_t>(given.at(key)));
}

static std::pair<std::string, std::string> pair(const std::string &from) {
    const auto colon = from.find(':');
    const std::pair<std::string, std::string> both{from.substr(0, colon), from.substr(colon + 1)};
    if (both.first == "null" || both.second == "null") throw Unsayable{};
    return both;
}

static void point(Profile &profile, const Arguments &given) {
    Point point;
    if (given.count("point") || text(given, "values").empty()) throw Unsayable{};
    point.context = *row<ContextRow>(given, "context");
    std::istringstream values(given.at("values"));
    std::string one;
    for (std::uint64_t metric = 0; std::getline(values, one, ','); metric++) {
        point.values[MetricRow(metric)] = number<std::int64_t>(one);
    }
    if (given.count("label")) {
        const auto [key, value] = pair(given.at("label"));
        point.labels.push_back({key, value});
    }
    if (given.count("link")) {
        const auto [role, context] = pair(given.at("link"));
        point.links.push_back({role, ContextRow(number<std::uint64_t>(context))});
    }
    if (given.count("time")) point.time_ns = number<std::int64_t>(given, "time");
    if (given.count("cpu")) point.cpu = number<std::uint32_t>(given, "cpu");
    point.thread = row<ThreadRow>(given, "thread");
    point.member = row<MemberRow>(given, "member");
    profile.point(point);
}

static void call(Profile &profile, const std::string &what, const Arguments &given) {
    if (what == "metric") {
        Combining combining;
        combining.over_contexts = static_cast<Combine>(number<int>(given, "contexts"));
        combining.weight = row<MetricRow>(given, "weight");
        const auto decimals = number<std::uint32_t>(given, "decimals");
        profile.metric(text(given, "name"), text(given, "unit"), decimals, combining);
    } else if (what == "default") {
        profile.default_metric(*row<MetricRow>(given, "metric"));
    } else if (what == "duration") {
        profile.duration(number<std::int64_t>(given, "ns"));
    } else if (what == "module") {
        const auto start = number<std::uint64_t>(given, "start"), limit = number<std::uint64_t>(given, "limit");
        profile.module(text(given, "path"), "", {start, limit, 0});
    } else if (what == "frame") {
        if (given.count("frame")) throw Unsayable{};
        Frame frame{text(given, "function"), text(given, "file")};
        frame.line = number<std::uint32_t>(given, "line");
        frame.column = number<std::uint32_t>(given, "column");
        frame.start_line = number<std::uint32_t>(given, "start_line");
        frame.module = row<ModuleRow>(given, "module");
        frame.address = number<std::uint64_t>(given, "address");
        frame.kind = static_cast<Kind>(number<int>(given, "kind"));
        frame.instruction = text(given, "instruction");
        frame.system_name = text(given, "system_name");
        profile.frame(frame);
    } else if (what == "context") {
        profile.context(*row<ContextRow>(given, "parent"), *row<FrameRow>(given, "frame"));
    } else if (what == "process") {
        profile.process(text(given, "id"));
    } else if (what == "thread") {
        profile.thread(text(given, "id"), "", row<ProcessRow>(given, "process"));
    } else if (what == "member") {
        Member member;
        member.name = text(given, "name");
        member.time_ns = number<std::int64_t>(given, "time");
        profile.member(member);
    } else if (what == "point") {
        point(profile, given);
    } else if (what == "note") {
        if (given.count("note")) throw Unsayable{};
        Note note{text(given, "title"), text(given, "text"), text(given, "link")};
        note.context = row<ContextRow>(given, "context").value_or(root);
        note.frame = row<FrameRow>(given, "frame");
        note.file = text(given, "file");
        note.line = number<std::uint32_t>(given, "line");
        profile.note(note);
    } else if (what == "flush") {
        profile.flush();
    } else {
        profile.close();
    }
}

static std::string unescaped(const std::string &from) {
    std::string out;
    for (std::size_t at = 0; at < from.size(); at++) {
        if (from[at] != '%') {
            out += from[at];
        } else {
            out += static_cast<char>(std::stoi(from.substr(at + 1, 2), nullptr, 16));
            at += 2;
        }
    }
    return out;
}

int main(int argc, char **argv) {
    static_assert(!std::is_convertible_v<FrameRow, ContextRow>, "rows of the wrong type do not compile");
    static_assert(!std::is_convertible_v<std::uint64_t, ContextRow>, "nor do plain numbers");
    std::optional<Profile> profile;
    std::string line;
    while (argc == 2 && std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string what, word;
        words >> what;
        Arguments given;
        while (words >> word) {
            const auto at = word.find('=');
            given[word.substr(0, at)] = unescaped(word.substr(at + 1));
        }
        if (what == "case") {
            profile.emplace(std::string(argv[1]) + "/" + given.begin()->first + ".hotframe");
        } else if (what == "end") {
            profile.reset();
        } else {
            try {
                call(*profile, what, given);
                std::cout << "ok\n";
            } catch (const Unsayable &) {
                std::cout << "unsayable\n";
            } catch (const std::system_error &error) {
                std::cout << (error.code() == std::errc::invalid_argument ? "refused\n" : error.what());
            }
        }
    }
}
