// A pipeline of threads, to be recorded: a source hands out frames, workers sort, hash and blur them,
// a sink adds up what comes. Where threads run is left to the system, or fixed:
//
//   pipeline [--frames N] [--workers N] [--placement free|pinned|apart]
//
// `pinned` gives each thread a processor of its own as far as there are some, in order; `apart` moves
// every thread to the next processor with each frame, the worst that a runtime could do.
// Build: g++ -O2 -g -fno-omit-frame-pointer -pthread pipeline.cpp -o pipeline

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

using Frame = std::vector<uint32_t>;

static const size_t SIDE = 96;

enum class Placement { Free, Pinned, Apart };

static Placement placement = Placement::Free;

static void name(const char *text) { pthread_setname_np(pthread_self(), text); }

static void run_on(unsigned number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(number % static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN)), &set);
  sched_setaffinity(0, sizeof set, &set);
}

class Queue {
public:
  explicit Queue(size_t most) : most(most) {}

  void put(Frame frame) {
    std::unique_lock<std::mutex> lock(mutex);
    not_full.wait(lock, [this] { return frames.size() < most; });
    frames.push_back(std::move(frame));
    not_empty.notify_one();
  }

  void end() {
    std::lock_guard<std::mutex> lock(mutex);
    has_ended = true;
    not_empty.notify_all();
  }

  bool take(Frame &frame) {
    std::unique_lock<std::mutex> lock(mutex);
    not_empty.wait(lock, [this] { return has_ended || !frames.empty(); });
    if (frames.empty())
      return false;
    frame = std::move(frames.front());
    frames.pop_front();
    not_full.notify_one();
    return true;
  }

private:
  std::mutex mutex;
  std::condition_variable not_full, not_empty;
  std::deque<Frame> frames;
  size_t most;
  bool has_ended = false;
};

__attribute__((noinline)) static void sort_rows(Frame &frame) {
  for (size_t row = 0; row < SIDE; row++)
    std::sort(frame.begin() + row * SIDE, frame.begin() + (row + 1) * SIDE);
}

__attribute__((noinline)) static uint32_t hash(const Frame &frame) {
  uint32_t sum = 2166136261u;
  for (int round = 0; round < 16; round++)
    for (uint32_t value : frame)
      sum = (sum ^ value) * 16777619u;
  return sum;
}

__attribute__((noinline)) static void blur(Frame &frame) {
  Frame from = frame;
  for (size_t row = 1; row + 1 < SIDE; row++)
    for (size_t column = 1; column + 1 < SIDE; column++) {
      uint64_t sum = 0;
      for (size_t y = row - 1; y <= row + 1; y++)
        for (size_t x = column - 1; x <= column + 1; x++)
          sum += from[y * SIDE + x];
      frame[row * SIDE + column] = static_cast<uint32_t>(sum / 9);
    }
}

__attribute__((noinline)) static uint32_t fold(const Frame &frame, size_t from, size_t to) {
  if (to - from < 64) {
    uint32_t sum = 0;
    for (size_t at = from; at < to; at++)
      sum += frame[at];
    return sum;
  }
  size_t middle = from + (to - from) / 2;
  return fold(frame, from, middle) ^ fold(frame, middle, to);
}

static void work(Queue &in, Queue &out, unsigned number) {
  char text[16];
  snprintf(text, sizeof text, "worker %u", number);
  name(text);
  if (placement != Placement::Free)
    run_on(number + 1);
  Frame frame;
  for (unsigned count = 0; in.take(frame); count++) {
    if (placement == Placement::Apart)
      run_on(number + count);
    sort_rows(frame);
    frame[0] = hash(frame);
    blur(frame);
    frame[1] = fold(frame, 0, frame.size());
    out.put(std::move(frame));
  }
}

int main(int count, char **words) {
  unsigned frames = 2000, workers = 4;
  for (int at = 1; at + 1 < count; at += 2) {
    if (!strcmp(words[at], "--frames"))
      frames = static_cast<unsigned>(atoi(words[at + 1]));
    else if (!strcmp(words[at], "--workers"))
      workers = static_cast<unsigned>(atoi(words[at + 1]));
    else if (!strcmp(words[at], "--placement"))
      placement = !strcmp(words[at + 1], "pinned")  ? Placement::Pinned
                  : !strcmp(words[at + 1], "apart") ? Placement::Apart
                                                    : Placement::Free;
  }
  Queue fresh(8), done(8);
  std::thread source([&] {
    name("source");
    if (placement != Placement::Free)
      run_on(0);
    uint32_t seed = 1;
    for (unsigned number = 0; number < frames; number++) {
      Frame frame(SIDE * SIDE);
      for (uint32_t &value : frame)
        value = seed = seed * 1664525u + 1013904223u;
      fresh.put(std::move(frame));
    }
    fresh.end();
  });
  std::vector<std::thread> all;
  for (unsigned number = 0; number < workers; number++)
    all.emplace_back(work, std::ref(fresh), std::ref(done), number);
  uint64_t sum = 0;
  std::thread sink([&] {
    name("sink");
    Frame frame;
    while (done.take(frame))
      sum += frame[0] ^ frame[1];
  });
  source.join();
  for (std::thread &worker : all)
    worker.join();
  done.end();
  sink.join();
  printf("%u frames, %llu\n", frames, static_cast<unsigned long long>(sum));
}
