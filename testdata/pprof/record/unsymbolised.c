/* Samples itself and writes what a profiler without symbols can know: addresses
 * and mappings, and neither functions nor lines. The timer signal takes a
 * backtrace; at the end the stacks go out as an uncompressed profile.proto.
 *
 *     unsymbolised OUTPUT
 */
#define _GNU_SOURCE
#include <elf.h>
#include <execinfo.h>
#include <inttypes.h>
#include <link.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { MAX_STACKS = 4096, MAX_DEPTH = 48, MAX_MAPPINGS = 64, PERIOD_US = 2000 };

/* ---- sampling ---- */

static struct {
    int depth;
    uint64_t address[MAX_DEPTH];
} stacks[MAX_STACKS];
static volatile int stack_count;

static void on_timer(int signal_number, siginfo_t *info, void *context) {
    (void)signal_number, (void)info;
    if (stack_count == MAX_STACKS) return;
    void *frames[MAX_DEPTH + 4];
    int depth = backtrace(frames, MAX_DEPTH + 4);
    /* The backtrace begins in this handler; the sample begins at the interrupted
     * instruction. The frames above that are return addresses, which point
     * behind the call: one less lies inside it. */
    uint64_t interrupted = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    int leaf = 0, kept = 0;
    while (leaf < depth && (uint64_t)(uintptr_t)frames[leaf] != interrupted) leaf++;
    for (int i = leaf; i < depth && kept < MAX_DEPTH; i++)
        stacks[stack_count].address[kept++] = (uint64_t)(uintptr_t)frames[i] - (i > leaf);
    stacks[stack_count].depth = kept;
    if (kept > 0) stack_count++;
}

/* ---- the work that is sampled ---- */

static __attribute__((noinline)) double collatz(uint64_t n, int depth) {
    if (n == 1 || depth == 30) return sqrt((double)depth + cos((double)n));
    return 0.5 + collatz(n % 2 ? 3 * n + 1 : n / 2, depth + 1);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static __attribute__((noinline)) double round_of_work(void) {
    enum { COUNT = 20000 };
    static double values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = collatz((uint64_t)i + 1, 0) * sin(i);
    qsort(values, COUNT, sizeof values[0], by_value);
    return values[COUNT / 2];
}

/* ---- writing profile.proto ---- */

typedef struct {
    unsigned char *bytes;
    size_t length, capacity;
} Buffer;

static void put(Buffer *b, const void *bytes, size_t length) {
    if (b->length + length > b->capacity) {
        b->capacity = 2 * (b->length + length);
        b->bytes = realloc(b->bytes, b->capacity);
        if (!b->bytes) abort();
    }
    memcpy(b->bytes + b->length, bytes, length);
    b->length += length;
}

static void put_varint(Buffer *b, uint64_t value) {
    unsigned char byte;
    do {
        byte = (unsigned char)(value & 0x7f) | (value > 0x7f ? 0x80 : 0);
        put(b, &byte, 1);
    } while (value >>= 7);
}

static void put_number(Buffer *b, int field, uint64_t value) {
    put_varint(b, (uint64_t)field << 3);
    put_varint(b, value);
}

static void put_bytes(Buffer *b, int field, const void *bytes, size_t length) {
    put_varint(b, (uint64_t)field << 3 | 2);
    put_varint(b, length);
    put(b, bytes, length);
}

/* Appends `message` as a field of `b` and empties it for its next use. */
static void put_message(Buffer *b, int field, Buffer *message) {
    put_bytes(b, field, message->bytes, message->length);
    message->length = 0;
}

static char *strings[MAX_MAPPINGS * 2 + 8];
static int string_count;

static uint64_t intern(const char *text) {
    for (int i = 0; i < string_count; i++)
        if (strcmp(strings[i], text) == 0) return (uint64_t)i;
    strings[string_count] = strdup(text);
    return (uint64_t)string_count++;
}

typedef struct {
    uint64_t start, limit, offset;
    char file[256], build_id[65];
} Mapping;
static Mapping mappings[MAX_MAPPINGS];
static int mapping_count;

static void read_mappings(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    while (maps && fgets(line, sizeof line, maps) && mapping_count < MAX_MAPPINGS) {
        Mapping *m = &mappings[mapping_count];
        char permissions[8];
        m->file[0] = 0;
        int fields = sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %255s", &m->start,
                            &m->limit, permissions, &m->offset, m->file);
        if (fields >= 4 && strchr(permissions, 'x')) mapping_count++;
    }
    if (maps) fclose(maps);
}

static int covers(const struct dl_phdr_info *object, uint64_t address) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uint64_t start = object->dlpi_addr + header->p_vaddr;
        /* A mapping begins at the page in which its segment begins. */
        if (header->p_type == PT_LOAD && address >= (start & ~0xfffull) &&
            address < start + header->p_memsz)
            return 1;
    }
    return 0;
}

/* Gives the build id of a loaded object, from its GNU note, to its mappings. */
static int add_build_id(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_NOTE) continue;
        const char *at = (const char *)object->dlpi_addr + header->p_vaddr;
        const char *end = at + header->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) < end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note;
            const unsigned char *id = (const void *)(name + ((note->n_namesz + 3) & ~3u));
            if (note->n_type == NT_GNU_BUILD_ID && strcmp(name, "GNU") == 0)
                for (int m = 0; m < mapping_count; m++)
                    if (covers(object, mappings[m].start))
                        for (unsigned k = 0; k < note->n_descsz && k < 32; k++)
                            sprintf(mappings[m].build_id + 2 * k, "%02x", id[k]);
            at = (const char *)id + ((note->n_descsz + 3) & ~3u);
        }
    }
    return 0;
}

static uint64_t mapping_of(uint64_t address) {
    for (int m = 0; m < mapping_count; m++)
        if (address >= mappings[m].start && address < mappings[m].limit) return (uint64_t)m + 1;
    return 0;
}

static uint64_t *locations;
static size_t location_count;

static uint64_t location_of(uint64_t address) {
    for (size_t i = 0; i < location_count; i++)
        if (locations[i] == address) return i + 1;
    locations[location_count++] = address;
    return location_count;
}

static void put_value_type(Buffer *profile, int field, const char *type, const char *unit) {
    Buffer message = {0};
    put_number(&message, 1, intern(type));
    put_number(&message, 2, intern(unit));
    put_message(profile, field, &message);
    free(message.bytes);
}

static void write_profile(const char *path) {
    Buffer profile = {0}, message = {0}, packed = {0};
    intern("");
    put_value_type(&profile, 1, "samples", "count");
    put_value_type(&profile, 1, "cpu", "nanoseconds");
    locations = calloc((size_t)MAX_STACKS * MAX_DEPTH, sizeof *locations);
    if (!locations) abort();
    for (int s = 0; s < stack_count; s++) {
        for (int i = 0; i < stacks[s].depth; i++)
            put_varint(&packed, location_of(stacks[s].address[i]));
        put_message(&message, 1, &packed);
        put_varint(&packed, 1);
        put_varint(&packed, PERIOD_US * 1000);
        put_message(&message, 2, &packed);
        put_message(&profile, 2, &message);
    }
    for (int m = 0; m < mapping_count; m++) {
        put_number(&message, 1, (uint64_t)m + 1);
        put_number(&message, 2, mappings[m].start);
        put_number(&message, 3, mappings[m].limit);
        put_number(&message, 4, mappings[m].offset);
        put_number(&message, 5, intern(mappings[m].file));
        put_number(&message, 6, intern(mappings[m].build_id));
        put_message(&profile, 3, &message);
    }
    for (size_t i = 0; i < location_count; i++) {
        put_number(&message, 1, i + 1);
        put_number(&message, 2, mapping_of(locations[i]));
        put_number(&message, 3, locations[i]);
        put_message(&profile, 4, &message);
    }
    put_value_type(&profile, 11, "cpu", "nanoseconds");
    for (int i = 0; i < string_count; i++) put_bytes(&profile, 6, strings[i], strlen(strings[i]));
    put_number(&profile, 12, PERIOD_US * 1000);

    FILE *file = fopen(path, "wb");
    if (!file || fwrite(profile.bytes, 1, profile.length, file) != profile.length || fclose(file)) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: unsymbolised OUTPUT\n");
        return 2;
    }
    void *warm_up[1];
    backtrace(warm_up, 1); /* loads the unwinder here, not in the signal handler */
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigaction(SIGPROF, &action, NULL);
    struct itimerval timer = {{0, PERIOD_US}, {0, PERIOD_US}};
    setitimer(ITIMER_PROF, &timer, NULL);
    double sum = 0;
    for (int i = 0; i < 100; i++) sum += round_of_work();
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    read_mappings();
    dl_iterate_phdr(add_build_id, NULL);
    write_profile(argv[1]);
    printf("%d stacks, result %f\n", stack_count, sum);
    return 0;
}
