/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Copyright (c) 2026 The Hotframe authors */
#include "hotframe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "hotframe profile"
#define VERSION 1
/* Points in one block. */
#define BLOCK_POINTS 4096
/* Label sets and texts of labels that are remembered beyond a block. */
#define MOST_LABELS 65536
#define MOST_DECIMALS 18

/* Bytes that grow: messages, and keys of tables. */
typedef struct {
    unsigned char *at;
    size_t len, room;
} bytes;

/* Numbers that grow: a column of a table. */
typedef struct {
    uint64_t *at;
    size_t len, room;
} column;

/* Empty ones. All members are given, for compilers of C++ warn of `{0}`. */
static const bytes NO_BYTES = {NULL, 0, 0};
static const column NO_COLUMN = {NULL, 0, 0};

/* Rows by key, with open addressing. */
typedef struct {
    /* Keys one after the other, where each starts, and its row. */
    bytes keys;
    column starts, rows;
    /* Slots hold the number of a key plus one. */
    uint64_t *slots;
    size_t slot_count;
} table;

/* LABEL_STRINGS are strings that only labels use so far. */
enum { STRINGS, LABEL_STRINGS, METRICS, MODULES, FUNCTIONS, LOCATIONS, CONTEXTS, LABEL_SETS, PROCESSES, THREADS, MEMBERS, ROLES, NOTES, TABLES };

/* Cells of a location that stand before those of its frames, and cells of a note. */
enum { LOCATION_CELLS = 4, NOTE_CELLS = 6 };

struct hf_profile {
    FILE *out;
    int owns_out, head_written, has_points;
    /* The first error; and the one after which nothing can be written. */
    int error, broken;
    table tables[TABLES];
    /* How many rows each table has in the file, for all strings under STRINGS. */
    uint64_t counts[TABLES];
    /* A text whose bytes are no UTF-8, made sound. */
    bytes sound;
    /* Rows that are not written yet: messages of the tables of messages, columns of the others. */
    bytes new_strings, new_metrics, new_modules, new_processes, new_threads, new_members, origin;
    column new_roles;
    column function_name, function_system_name, function_file, function_line;
    column kind, module, address, instruction, frame_count, frame_function, frame_line, frame_column;
    column distance, location;
    column label_count, label_key, label_unit, label_value;
    /* What each is about, and its texts. */
    column notes[NOTE_CELLS];
    /* The points of the block. */
    column point_context, point_labels, point_times, point_timed, point_thread, point_cpu, point_member;
    column link_count, link_role, link_context;
    /* All metrics of a point follow each other. */
    column values;
};

/* Nothing can be written any more. */
static void fail(hf_profile *profile, int error) {
    if (profile->broken == 0) profile->broken = error;
    if (profile->error == 0) profile->error = error;
}

/* Whether a call may go on. */
static int accepts(hf_profile *profile, int is_right) {
    if (profile == NULL) {
        errno = EINVAL;
        return 0;
    }
    if (profile->broken != 0) {
        errno = profile->broken;
        return 0;
    }
    if (!is_right) {
        if (profile->error == 0) profile->error = EINVAL;
        errno = EINVAL;
    }
    return is_right;
}

/* Memory for `wanted` items, with what stands at `at`; NULL if there is none. */
static void *reserve(hf_profile *profile, void *at, size_t *room, size_t wanted, size_t size) {
    if (wanted <= *room) return at;
    size_t more = *room * 2 > wanted ? *room * 2 : wanted + 16;
    void *moved = more > SIZE_MAX / size ? NULL : realloc(at, more * size);
    if (moved == NULL) fail(profile, ENOMEM);
    else *room = more;
    return moved;
}

static void put_bytes(hf_profile *profile, bytes *to, const void *from, size_t len) {
    if (len == 0) return;
    unsigned char *at = (unsigned char *)reserve(profile, to->at, &to->room, to->len + len, 1);
    if (at == NULL) return;
    to->at = at;
    memcpy(to->at + to->len, from, len);
    to->len += len;
}

static void push(hf_profile *profile, column *to, uint64_t value) {
    uint64_t *at = (uint64_t *)reserve(profile, to->at, &to->room, to->len + 1, sizeof value);
    if (at == NULL) return;
    to->at = at;
    to->at[to->len++] = value;
}

/* Protobuf's wire format. */

static uint64_t zigzag(int64_t value) {
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static void put_varint(hf_profile *profile, bytes *to, uint64_t value) {
    unsigned char out[10];
    size_t len = 0;
    for (; value >= 0x80; value >>= 7) out[len++] = (unsigned char)(value | 0x80);
    out[len++] = (unsigned char)value;
    put_bytes(profile, to, out, len);
}

/* An integer field; 0 is left out. */
static void put_integer(hf_profile *profile, bytes *to, uint64_t field, uint64_t value) {
    if (value == 0) return;
    put_varint(profile, to, field << 3);
    put_varint(profile, to, value);
}

static void put_message(hf_profile *profile, bytes *to, uint64_t field, const void *from, size_t len) {
    put_varint(profile, to, field << 3 | 2);
    put_varint(profile, to, len);
    put_bytes(profile, to, from, len);
}

/* The length of the UTF-8 sequence at the beginning of a text that ends with 0; 0 if it is none. */
static size_t sequence(const unsigned char *at) {
    static const struct {
        unsigned char first, last, low, high;
        size_t len;
    } kinds[] = {
        {0x01, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        if (*at < kinds[kind].first || *at > kinds[kind].last) continue;
        for (size_t next = 1; next < kinds[kind].len; next++) {
            unsigned char low = next == 1 ? kinds[kind].low : 0x80, high = next == 1 ? kinds[kind].high : 0xbf;
            if (at[next] < low || at[next] > high) return 0;
        }
        return kinds[kind].len;
    }
    return 0;
}

/* A text as UTF-8, until the next call. */
static const unsigned char *utf8(hf_profile *profile, const char *text, size_t *len) {
    const unsigned char *at = (const unsigned char *)text;
    size_t end = 0, step;
    while ((step = sequence(at + end)) != 0) end += step;
    *len = end;
    if (at[end] == 0) return at;
    profile->sound.len = 0;
    put_bytes(profile, &profile->sound, at, end);
    while (at[end] != 0) {
        step = sequence(at + end);
        if (step != 0) put_bytes(profile, &profile->sound, at + end, step);
        else put_bytes(profile, &profile->sound, "\xef\xbf\xbd", 3);
        end += step != 0 ? step : 1;
    }
    *len = profile->sound.len;
    return profile->sound.at;
}

/* A text field; the empty text is left out. */
static void put_text(hf_profile *profile, bytes *to, uint64_t field, const char *text) {
    size_t len;
    if (text == NULL || *text == '\0') return;
    const unsigned char *at = utf8(profile, text, &len);
    put_message(profile, to, field, at, len);
}

static void put_packed(hf_profile *profile, bytes *to, uint64_t field, const uint64_t *cells, size_t count, size_t stride) {
    bytes inner = NO_BYTES;
    for (size_t cell = 0; cell < count; cell++) put_varint(profile, &inner, cells[cell * stride]);
    put_message(profile, to, field, inner.at, inner.len);
    free(inner.at);
}

/* A column; left out if every cell is 0. */
static void put_cells(hf_profile *profile, bytes *to, uint64_t field, const uint64_t *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) {
        if (cells[cell * stride] != 0) {
            put_packed(profile, to, field, cells, count, stride);
            return;
        }
    }
}

static void put_column(hf_profile *profile, bytes *to, uint64_t field, const column *from) {
    put_cells(profile, to, field, from->at, from->len, 1);
}

/* Differences between neighbours; the first is the difference to 0. */
static void to_deltas(column *cells) {
    uint64_t before = 0;
    for (size_t cell = 0; cell < cells->len; cell++) {
        uint64_t value = cells->at[cell];
        cells->at[cell] = zigzag((int64_t)(value - before));
        before = value;
    }
}

static int has_any(const column *cells) {
    for (size_t cell = 0; cell < cells->len; cell++) {
        if (cells->at[cell] != 0) return 1;
    }
    return 0;
}

/* Tables. */

static uint64_t hash_of(const unsigned char *key, size_t len) {
    /* FNV-1a. */
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t at = 0; at < len; at++) hash = (hash ^ key[at]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static const unsigned char *key_of(const table *in, uint64_t number, size_t *len) {
    uint64_t start = in->starts.at[number];
    uint64_t end = number + 1 < in->starts.len ? in->starts.at[number + 1] : in->keys.len;
    *len = (size_t)(end - start);
    return in->keys.at + start;
}

static uint64_t *slot_of(const table *in, const unsigned char *key, size_t len) {
    size_t slot = (size_t)hash_of(key, len) & (in->slot_count - 1);
    for (; in->slots[slot] != 0; slot = (slot + 1) & (in->slot_count - 1)) {
        size_t known_len;
        const unsigned char *known = key_of(in, in->slots[slot] - 1, &known_len);
        if (known_len == len && memcmp(known, key, len) == 0) break;
    }
    return &in->slots[slot];
}

static int grow(hf_profile *profile, table *to) {
    size_t count = to->slot_count == 0 ? 64 : to->slot_count * 2;
    uint64_t *slots = (uint64_t *)calloc(count, sizeof *slots);
    if (slots == NULL) {
        fail(profile, ENOMEM);
        return 0;
    }
    free(to->slots);
    to->slots = slots;
    to->slot_count = count;
    for (uint64_t number = 0; number < to->starts.len; number++) {
        size_t len;
        const unsigned char *key = key_of(to, number, &len);
        *slot_of(to, key, len) = number + 1;
    }
    return 1;
}

static int find(const table *in, const void *key, size_t len, uint64_t *row) {
    if (in->slot_count == 0) return 0;
    uint64_t number = *slot_of(in, (const unsigned char *)key, len);
    if (number != 0) *row = in->rows.at[number - 1];
    return number != 0;
}

/* Adds a key that is not in the table. */
static void add(hf_profile *profile, table *to, const void *key, size_t len, uint64_t row) {
    if ((to->starts.len + 1) * 2 > to->slot_count && !grow(profile, to)) return;
    uint64_t *slot = slot_of(to, (const unsigned char *)key, len);
    push(profile, &to->starts, to->keys.len);
    push(profile, &to->rows, row);
    put_bytes(profile, &to->keys, key, len);
    if (profile->broken == 0) *slot = to->starts.len;
}

/* Forgets all keys. */
static void forget(table *of) {
    of->keys.len = of->starts.len = of->rows.len = 0;
    if (of->slot_count > 0) memset(of->slots, 0, of->slot_count * sizeof *of->slots);
}

/* The row of a key, and whether it is new. */
static uint64_t intern(hf_profile *profile, int which, const void *key, size_t len, int *is_new) {
    uint64_t row;
    *is_new = 0;
    if (profile->broken != 0) return 0;
    if (find(&profile->tables[which], key, len, &row)) return row;
    row = profile->counts[which];
    add(profile, &profile->tables[which], key, len, row);
    profile->counts[which]++;
    *is_new = profile->broken == 0;
    return row;
}

static uint64_t intern_cells(hf_profile *profile, int which, const uint64_t *cells, size_t count, int *is_new) {
    return intern(profile, which, cells, count * sizeof *cells, is_new);
}

/* The row of a text. Texts of labels are kept apart, so that they can be forgotten. */
static uint64_t text_row(hf_profile *profile, const char *text, int is_label) {
    size_t len;
    uint64_t row;
    if (text == NULL || *text == '\0' || profile->broken != 0) return 0;
    const unsigned char *at = utf8(profile, text, &len);
    if (profile->broken != 0 || find(&profile->tables[STRINGS], at, len, &row)) return profile->broken != 0 ? 0 : row;
    int is_known = find(&profile->tables[LABEL_STRINGS], at, len, &row);
    if (is_known && is_label) return row;
    if (!is_known) {
        row = profile->counts[STRINGS]++;
        put_message(profile, &profile->new_strings, 1, at, len);
    }
    add(profile, &profile->tables[is_label ? LABEL_STRINGS : STRINGS], at, len, row);
    return row;
}

static uint64_t string(hf_profile *profile, const char *text) {
    return text_row(profile, text, 0);
}

static hf_row checked(const hf_profile *profile, uint64_t row) {
    if (profile->broken == 0) return row;
    errno = profile->broken;
    return HF_NONE;
}

hf_profile *hf_new(FILE *out, const hf_origin *origin) {
    if (out == NULL || (origin != NULL && origin->comment_count > 0 && origin->comments == NULL)) {
        errno = EINVAL;
        return NULL;
    }
    hf_profile *profile = (hf_profile *)calloc(1, sizeof *profile);
    if (profile == NULL) return NULL;
    profile->out = out;
    /* String 0, context 0 and label set 0 always exist. */
    profile->counts[STRINGS] = profile->counts[CONTEXTS] = profile->counts[LABEL_SETS] = 1;
    if (origin != NULL) {
        put_text(profile, &profile->origin, 2, origin->producer);
        put_integer(profile, &profile->origin, 5, zigzag(origin->time_ns));
        put_integer(profile, &profile->origin, 6, zigzag(origin->duration_ns));
        put_integer(profile, &profile->origin, 7, zigzag(origin->clock_ns));
        put_integer(profile, &profile->origin, 8, zigzag(origin->period));
        put_text(profile, &profile->origin, 9, origin->period_type);
        put_text(profile, &profile->origin, 10, origin->period_unit);
        for (size_t row = 0; row < origin->comment_count; row++) {
            put_text(profile, &profile->origin, 13, origin->comments[row]);
        }
    }
    return profile;
}

hf_profile *hf_open(const char *path, const hf_origin *origin) {
    if (path == NULL) {
        errno = EINVAL;
        return NULL;
    }
    FILE *out = fopen(path, "wb");
    if (out == NULL) return NULL;
    hf_profile *profile = hf_new(out, origin);
    if (profile == NULL) {
        int error = errno;
        fclose(out);
        errno = error;
    } else {
        profile->owns_out = 1;
    }
    return profile;
}

static int is_combine(hf_combine combine) {
    return (unsigned)combine <= HF_NO_FIGURE;
}

hf_row hf_metric(hf_profile *profile, const hf_metric_info *metric) {
    bytes message = NO_BYTES;
    int is_new;
    uint64_t row;
    if (!accepts(profile, metric != NULL && metric->name != NULL && *metric->name != '\0')) return HF_NONE;
    int is_right = metric->decimals <= MOST_DECIMALS && metric->weight_plus_1 <= profile->counts[METRICS];
    is_right &= is_combine(metric->over_contexts) && is_combine(metric->over_time) && is_combine(metric->over_members);
    if (!accepts(profile, is_right)) return HF_NONE;
    put_text(profile, &message, 1, metric->name);
    put_text(profile, &message, 2, metric->unit);
    put_integer(profile, &message, 3, metric->decimals);
    put_integer(profile, &message, 4, metric->over_contexts);
    put_integer(profile, &message, 5, metric->over_time);
    put_integer(profile, &message, 6, metric->over_members);
    put_integer(profile, &message, 7, metric->weight_plus_1);
    /* Points already have their values. */
    int is_known = find(&profile->tables[METRICS], message.at, message.len, &row);
    if (!accepts(profile, is_known || !profile->has_points)) {
        free(message.at);
        return HF_NONE;
    }
    row = intern(profile, METRICS, message.at, message.len, &is_new);
    if (is_new) put_message(profile, &profile->new_metrics, 3, message.at, message.len);
    free(message.at);
    return checked(profile, row);
}

/* A row whose cells are a message of integers. */
static hf_row add_message(hf_profile *profile, int which, bytes *to, uint64_t field, const uint64_t *cells, size_t count) {
    bytes message = NO_BYTES;
    int is_new;
    for (size_t cell = 0; cell < count; cell++) put_integer(profile, &message, cell + 1, cells[cell]);
    uint64_t row = intern_cells(profile, which, cells, count, &is_new);
    if (is_new) put_message(profile, to, field, message.at, message.len);
    free(message.at);
    return checked(profile, row);
}

hf_row hf_module(hf_profile *profile, const hf_module_info *module) {
    uint64_t cells[5];
    if (!accepts(profile, module != NULL && module->memory_limit >= module->memory_start)) return HF_NONE;
    cells[0] = string(profile, module->path);
    cells[1] = string(profile, module->build_id);
    cells[2] = module->memory_start;
    cells[3] = module->memory_limit;
    cells[4] = module->file_offset;
    return add_message(profile, MODULES, &profile->new_modules, 4, cells, 5);
}

static uint64_t function(hf_profile *profile, const hf_inlined *place) {
    uint64_t cells[4];
    int is_new;
    cells[0] = string(profile, place->function);
    cells[1] = string(profile, place->system_name);
    cells[2] = string(profile, place->file);
    cells[3] = place->start_line;
    uint64_t row = intern_cells(profile, FUNCTIONS, cells, 4, &is_new);
    if (is_new) {
        push(profile, &profile->function_name, cells[0]);
        push(profile, &profile->function_system_name, cells[1]);
        push(profile, &profile->function_file, cells[2]);
        push(profile, &profile->function_line, cells[3]);
    }
    return row;
}

static void push_frame(hf_profile *profile, column *cells, const hf_inlined *place) {
    push(profile, cells, function(profile, place));
    push(profile, cells, place->line);
    push(profile, cells, place->column);
}

hf_row hf_frame(hf_profile *profile, const hf_place *place) {
    column cells = NO_COLUMN;
    int is_new;
    if (!accepts(profile, place != NULL)) return HF_NONE;
    int is_right = place->module_plus_1 <= profile->counts[MODULES] && (unsigned)place->kind <= HF_BLOCK;
    is_right &= place->inlined_count == 0 || place->inlined != NULL;
    if (!accepts(profile, is_right)) return HF_NONE;
    hf_inlined called;
    called.function = place->function;
    called.file = place->file;
    called.line = place->line;
    called.column = place->column;
    called.start_line = place->start_line;
    called.system_name = place->system_name;
    push(profile, &cells, place->kind);
    push(profile, &cells, place->module_plus_1);
    push(profile, &cells, place->address);
    push(profile, &cells, string(profile, place->instruction));
    push_frame(profile, &cells, &called);
    for (size_t row = 0; row < place->inlined_count; row++) push_frame(profile, &cells, &place->inlined[row]);
    uint64_t row = intern_cells(profile, LOCATIONS, cells.at, cells.len, &is_new);
    if (is_new) {
        push(profile, &profile->kind, cells.at[0]);
        push(profile, &profile->module, cells.at[1]);
        push(profile, &profile->address, cells.at[2]);
        push(profile, &profile->instruction, cells.at[3]);
        push(profile, &profile->frame_count, 1 + place->inlined_count);
        for (size_t cell = LOCATION_CELLS; cell < cells.len; cell += 3) {
            push(profile, &profile->frame_function, cells.at[cell] + 1);
            push(profile, &profile->frame_line, cells.at[cell + 1]);
            push(profile, &profile->frame_column, cells.at[cell + 2]);
        }
    }
    free(cells.at);
    return checked(profile, row);
}

hf_row hf_context(hf_profile *profile, hf_row parent, hf_row frame) {
    uint64_t cells[2];
    int is_new;
    int is_right = profile != NULL && parent < profile->counts[CONTEXTS] && frame < profile->counts[LOCATIONS];
    if (!accepts(profile, is_right)) return HF_NONE;
    cells[0] = parent;
    cells[1] = frame;
    uint64_t row = intern_cells(profile, CONTEXTS, cells, 2, &is_new);
    if (is_new) {
        push(profile, &profile->distance, row - parent);
        push(profile, &profile->location, frame);
    }
    return checked(profile, row);
}

hf_row hf_process(hf_profile *profile, const char *id, const char *name) {
    uint64_t cells[2];
    if (!accepts(profile, id != NULL)) return HF_NONE;
    cells[0] = string(profile, id);
    cells[1] = string(profile, name);
    return add_message(profile, PROCESSES, &profile->new_processes, 9, cells, 2);
}

hf_row hf_thread(hf_profile *profile, const char *id, const char *name, hf_row process_plus_1) {
    uint64_t cells[3];
    int is_right = id != NULL && profile != NULL && process_plus_1 <= profile->counts[PROCESSES];
    if (!accepts(profile, is_right)) return HF_NONE;
    cells[0] = process_plus_1;
    cells[1] = string(profile, id);
    cells[2] = string(profile, name);
    return add_message(profile, THREADS, &profile->new_threads, 10, cells, 3);
}

hf_row hf_member(hf_profile *profile, const hf_member_info *member) {
    bytes message = NO_BYTES;
    int is_new;
    if (!accepts(profile, member != NULL)) return HF_NONE;
    put_text(profile, &message, 1, member->name);
    put_text(profile, &message, 2, member->producer);
    put_text(profile, &message, 3, member->host);
    put_integer(profile, &message, 4, zigzag(member->time_ns));
    put_integer(profile, &message, 5, zigzag(member->duration_ns));
    uint64_t row = intern(profile, MEMBERS, message.at, message.len, &is_new);
    if (is_new) put_message(profile, &profile->new_members, 11, message.at, message.len);
    free(message.at);
    return checked(profile, row);
}

/* An integer field that is written even if it is 0: it may replace an earlier one. */
static void set_integer(hf_profile *profile, uint64_t field, uint64_t value) {
    put_varint(profile, &profile->origin, field << 3);
    put_varint(profile, &profile->origin, value);
}

int hf_default_metric(hf_profile *profile, hf_row metric) {
    if (!accepts(profile, profile != NULL && metric < profile->counts[METRICS])) return errno;
    set_integer(profile, 3, metric);
    set_integer(profile, 4, 1);
    return profile->broken;
}

int hf_duration(hf_profile *profile, int64_t duration_ns) {
    if (!accepts(profile, 1)) return errno;
    set_integer(profile, 6, zigzag(duration_ns));
    return profile->broken;
}

static uint64_t role(hf_profile *profile, const char *name) {
    int is_new;
    uint64_t text = string(profile, name);
    uint64_t row = intern_cells(profile, ROLES, &text, 1, &is_new);
    if (is_new) push(profile, &profile->new_roles, text);
    return row;
}

static uint64_t label_set(hf_profile *profile, const hf_label *labels, size_t count) {
    column cells = NO_COLUMN;
    int is_new;
    if (count == 0) return 0;
    for (size_t row = 0; row < count; row++) {
        const hf_label *label = &labels[row];
        push(profile, &cells, text_row(profile, label->key, 1));
        if (label->text != NULL) {
            push(profile, &cells, 0);
            push(profile, &cells, zigzag((int64_t)text_row(profile, label->text, 1)));
        } else {
            push(profile, &cells, text_row(profile, label->unit, 1) + 1);
            push(profile, &cells, zigzag(label->number));
        }
    }
    uint64_t row = intern_cells(profile, LABEL_SETS, cells.at, cells.len, &is_new);
    if (is_new) {
        push(profile, &profile->label_count, count);
        for (size_t cell = 0; cell < cells.len; cell += 3) {
            push(profile, &profile->label_key, cells.at[cell]);
            push(profile, &profile->label_unit, cells.at[cell + 1]);
            push(profile, &profile->label_value, cells.at[cell + 2]);
        }
    }
    free(cells.at);
    return row;
}

/* Whether all that a point names exists. */
static int is_sound(const hf_profile *profile, const hf_point_info *point) {
    const uint64_t *counts = profile->counts;
    int is_linked = point->link_count == 0;
    if (point->context >= counts[CONTEXTS] || point->thread_plus_1 > counts[THREADS]) return 0;
    if (point->member != 0 && point->member >= counts[MEMBERS]) return 0;
    if (point->value_count != counts[METRICS] || (point->value_count > 0 && point->values == NULL)) return 0;
    if (point->label_count > 0 && point->labels == NULL) return 0;
    for (size_t row = 0; row < point->label_count; row++) {
        if (point->labels[row].key == NULL) return 0;
    }
    if (point->link_count > 0 && point->links == NULL) return 0;
    for (size_t row = 0; row < point->link_count; row++) {
        if (point->links[row].role == NULL || point->links[row].context >= counts[CONTEXTS]) return 0;
        is_linked |= point->links[row].context == point->context;
    }
    return is_linked;
}

int hf_point(hf_profile *profile, const hf_point_info *point) {
    if (!accepts(profile, profile != NULL && point != NULL && is_sound(profile, point))) return errno;
    for (size_t row = 0; row < point->link_count; row++) {
        push(profile, &profile->link_role, role(profile, point->links[row].role));
        push(profile, &profile->link_context, point->links[row].context);
    }
    push(profile, &profile->link_count, point->link_count);
    push(profile, &profile->point_labels, label_set(profile, point->labels, point->label_count));
    push(profile, &profile->point_context, point->context);
    for (size_t metric = 0; metric < point->value_count; metric++) {
        push(profile, &profile->values, zigzag(point->values[metric]));
    }
    if (point->time_ns != NULL) push(profile, &profile->point_times, (uint64_t)*point->time_ns);
    push(profile, &profile->point_timed, point->time_ns != NULL);
    push(profile, &profile->point_thread, point->thread_plus_1);
    push(profile, &profile->point_cpu, point->cpu_plus_1);
    push(profile, &profile->point_member, point->member);
    profile->has_points = 1;
    if (profile->point_context.len >= BLOCK_POINTS) hf_flush(profile);
    return profile->broken;
}

static int is_empty(const char *text) {
    return text == NULL || *text == '\0';
}

/* Other links lead nowhere, or run something. */
static int is_link(const char *text) {
    return strncmp(text, "https://", 8) == 0 || strncmp(text, "http://", 7) == 0 || strncmp(text, "file://", 7) == 0;
}

/* The function of a frame that exists; HF_NONE if it has no name. */
static uint64_t function_of(const hf_profile *profile, hf_row frame) {
    uint64_t function, names[2];
    size_t len;
    const unsigned char *cells = key_of(&profile->tables[LOCATIONS], frame, &len);
    memcpy(&function, cells + LOCATION_CELLS * sizeof function, sizeof function);
    memcpy(names, key_of(&profile->tables[FUNCTIONS], function, &len), sizeof names);
    return names[0] == 0 && names[1] == 0 ? HF_NONE : function;
}

/* Whether a note says something, and of one place that exists. */
static int is_sound_note(const hf_profile *profile, const hf_note_info *note) {
    const uint64_t *counts = profile->counts;
    if (is_empty(note->title) || (!is_empty(note->link) && !is_link(note->link))) return 0;
    if (note->context >= counts[CONTEXTS] || note->frame_plus_1 > counts[LOCATIONS]) return 0;
    if (note->frame_plus_1 != 0 && function_of(profile, note->frame_plus_1 - 1) == HF_NONE) return 0;
    if (is_empty(note->file) != (note->line == 0)) return 0;
    return (note->context != 0) + (note->frame_plus_1 != 0) + (note->line != 0) <= 1;
}

int hf_note(hf_profile *profile, const hf_note_info *note) {
    uint64_t cells[NOTE_CELLS] = {0};
    int is_new;
    /* The tables of a broken profile may lack rows, so nothing is looked up there. */
    if (!accepts(profile, 1)) return errno;
    if (!accepts(profile, note != NULL && is_sound_note(profile, note))) return errno;
    cells[0] = note->frame_plus_1 != 0 ? 1 : note->line != 0 ? 2 : 0;
    cells[1] = note->context;
    if (note->frame_plus_1 != 0) cells[1] = function_of(profile, note->frame_plus_1 - 1);
    if (note->line != 0) cells[1] = string(profile, note->file);
    cells[2] = note->line;
    cells[3] = string(profile, note->title);
    cells[4] = string(profile, note->text);
    cells[5] = string(profile, note->link);
    intern_cells(profile, NOTES, cells, NOTE_CELLS, &is_new);
    for (size_t cell = 0; is_new && cell < NOTE_CELLS; cell++) push(profile, &profile->notes[cell], cells[cell]);
    return profile->broken;
}

static void put_functions(hf_profile *profile, bytes *to) {
    bytes message = NO_BYTES;
    if (profile->function_name.len == 0) return;
    put_integer(profile, &message, 1, profile->function_name.len);
    put_column(profile, &message, 2, &profile->function_name);
    put_column(profile, &message, 3, &profile->function_system_name);
    put_column(profile, &message, 4, &profile->function_file);
    put_column(profile, &message, 5, &profile->function_line);
    put_message(profile, to, 5, message.at, message.len);
    free(message.at);
}

static void put_locations(hf_profile *profile, bytes *to) {
    bytes message = NO_BYTES;
    int several = 0;
    if (profile->kind.len == 0) return;
    put_integer(profile, &message, 1, profile->kind.len);
    put_column(profile, &message, 2, &profile->kind);
    put_column(profile, &message, 3, &profile->module);
    if (has_any(&profile->address)) {
        to_deltas(&profile->address);
        put_packed(profile, &message, 4, profile->address.at, profile->address.len, 1);
    }
    for (size_t row = 0; row < profile->frame_count.len; row++) several |= profile->frame_count.at[row] != 1;
    if (several) put_packed(profile, &message, 6, profile->frame_count.at, profile->frame_count.len, 1);
    put_column(profile, &message, 7, &profile->frame_function);
    put_column(profile, &message, 8, &profile->frame_line);
    put_column(profile, &message, 9, &profile->frame_column);
    put_column(profile, &message, 10, &profile->instruction);
    put_message(profile, to, 6, message.at, message.len);
    free(message.at);
}

static void put_contexts(hf_profile *profile, bytes *to) {
    bytes message = NO_BYTES;
    if (profile->location.len == 0) return;
    put_integer(profile, &message, 1, profile->location.len);
    put_column(profile, &message, 2, &profile->distance);
    put_column(profile, &message, 3, &profile->location);
    put_message(profile, to, 7, message.at, message.len);
    free(message.at);
}

static void put_label_sets(hf_profile *profile, bytes *to) {
    bytes message = NO_BYTES;
    if (profile->label_count.len == 0) return;
    put_integer(profile, &message, 1, profile->label_count.len);
    put_column(profile, &message, 2, &profile->label_count);
    put_column(profile, &message, 3, &profile->label_key);
    put_column(profile, &message, 4, &profile->label_unit);
    put_column(profile, &message, 5, &profile->label_value);
    put_message(profile, to, 8, message.at, message.len);
    free(message.at);
}

static void put_points(hf_profile *profile, bytes *to) {
    bytes message = NO_BYTES;
    size_t count = profile->point_context.len, metrics = profile->counts[METRICS];
    if (count == 0) return;
    put_integer(profile, &message, 1, count);
    to_deltas(&profile->point_context);
    put_column(profile, &message, 2, &profile->point_context);
    for (size_t metric = 0; metric < metrics; metric++) {
        bytes inner = NO_BYTES;
        put_cells(profile, &inner, 1, profile->values.at + metric, count, metrics);
        put_message(profile, &message, 3, inner.at, inner.len);
        free(inner.at);
    }
    put_column(profile, &message, 4, &profile->point_labels);
    if (profile->point_times.len > 0) {
        to_deltas(&profile->point_times);
        put_packed(profile, &message, 5, profile->point_times.at, profile->point_times.len, 1);
        if (profile->point_times.len < count) {
            put_packed(profile, &message, 6, profile->point_timed.at, count, 1);
        }
    }
    put_column(profile, &message, 7, &profile->point_thread);
    put_column(profile, &message, 8, &profile->point_cpu);
    put_column(profile, &message, 9, &profile->point_member);
    put_column(profile, &message, 10, &profile->link_count);
    put_column(profile, &message, 11, &profile->link_role);
    put_column(profile, &message, 12, &profile->link_context);
    put_message(profile, to, 13, message.at, message.len);
    free(message.at);
}

static void put_notes(hf_profile *profile, bytes *to) {
    bytes message = NO_BYTES;
    if (profile->notes[0].len == 0) return;
    put_integer(profile, &message, 1, profile->notes[0].len);
    for (size_t cell = 0; cell < NOTE_CELLS; cell++) put_column(profile, &message, 2 + cell, &profile->notes[cell]);
    put_message(profile, to, 23, message.at, message.len);
    free(message.at);
}

static bytes *const *new_messages(hf_profile *profile, bytes *list[6]) {
    list[0] = &profile->new_strings;
    list[1] = &profile->new_metrics;
    list[2] = &profile->new_modules;
    list[3] = &profile->new_processes;
    list[4] = &profile->new_threads;
    list[5] = &profile->new_members;
    return list;
}

enum { COLUMNS = 28 + NOTE_CELLS };

static column *const *new_columns(hf_profile *profile, column *list[COLUMNS]) {
    column *all[COLUMNS] = {
        &profile->new_roles, &profile->function_name, &profile->function_system_name,
        &profile->function_file, &profile->function_line,
        &profile->kind, &profile->module, &profile->address, &profile->instruction,
        &profile->frame_count, &profile->frame_function, &profile->frame_line, &profile->frame_column,
        &profile->distance, &profile->location, &profile->label_count, &profile->label_key, &profile->label_unit,
        &profile->label_value, &profile->point_context, &profile->point_labels, &profile->point_times,
        &profile->point_timed, &profile->point_thread, &profile->point_cpu, &profile->point_member,
        &profile->values, &profile->link_count,
        &profile->notes[0], &profile->notes[1], &profile->notes[2], &profile->notes[3], &profile->notes[4],
        &profile->notes[5],
    };
    memcpy(list, all, sizeof all);
    return list;
}

int hf_flush(hf_profile *profile) {
    bytes block = NO_BYTES, out = NO_BYTES;
    bytes *messages[6];
    column *columns[COLUMNS];
    if (!accepts(profile, 1)) return errno;
    put_bytes(profile, &block, profile->new_strings.at, profile->new_strings.len);
    if (!profile->head_written) {
        put_text(profile, &out, 1, MAGIC);
        put_integer(profile, &out, 2, VERSION);
    }
    if (!profile->head_written || profile->origin.len > 0) {
        put_message(profile, &block, 2, profile->origin.at, profile->origin.len);
    }
    put_bytes(profile, &block, profile->new_metrics.at, profile->new_metrics.len);
    put_bytes(profile, &block, profile->new_modules.at, profile->new_modules.len);
    put_functions(profile, &block);
    put_locations(profile, &block);
    put_contexts(profile, &block);
    put_label_sets(profile, &block);
    put_bytes(profile, &block, profile->new_processes.at, profile->new_processes.len);
    put_bytes(profile, &block, profile->new_threads.at, profile->new_threads.len);
    put_bytes(profile, &block, profile->new_members.at, profile->new_members.len);
    if (profile->new_roles.len > 0) {
        put_packed(profile, &block, 12, profile->new_roles.at, profile->new_roles.len, 1);
    }
    put_points(profile, &block);
    put_notes(profile, &block);
    if (block.len > 0) put_message(profile, &out, 3, block.at, block.len);
    if (profile->broken == 0 && out.len > 0) {
        errno = 0;
        if (fwrite(out.at, 1, out.len, profile->out) != out.len || fflush(profile->out) != 0) {
            fail(profile, errno != 0 ? errno : EIO);
        }
    }
    free(block.at);
    free(out.at);
    profile->head_written = 1;
    new_messages(profile, messages);
    for (size_t row = 0; row < 6; row++) messages[row]->len = 0;
    new_columns(profile, columns);
    for (size_t row = 0; row < COLUMNS; row++) columns[row]->len = 0;
    profile->link_role.len = profile->link_context.len = profile->origin.len = 0;
    if (profile->tables[LABEL_SETS].starts.len + profile->tables[LABEL_STRINGS].starts.len > MOST_LABELS) {
        forget(&profile->tables[LABEL_SETS]);
        forget(&profile->tables[LABEL_STRINGS]);
    }
    return profile->broken;
}

int hf_error(const hf_profile *profile) {
    return profile == NULL ? EINVAL : profile->error;
}

int hf_close(hf_profile **closed) {
    bytes *messages[6];
    column *columns[COLUMNS];
    hf_profile *profile = closed == NULL ? NULL : *closed;
    if (!accepts(profile, 1) && profile == NULL) return EINVAL;
    *closed = NULL;
    hf_flush(profile);
    int error = profile->error;
    if (profile->owns_out && fclose(profile->out) != 0 && error == 0) error = errno;
    for (size_t which = 0; which < TABLES; which++) {
        free(profile->tables[which].keys.at);
        free(profile->tables[which].starts.at);
        free(profile->tables[which].rows.at);
        free(profile->tables[which].slots);
    }
    new_messages(profile, messages);
    for (size_t row = 0; row < 6; row++) free(messages[row]->at);
    new_columns(profile, columns);
    for (size_t row = 0; row < COLUMNS; row++) free(columns[row]->at);
    free(profile->link_role.at);
    free(profile->link_context.at);
    free(profile->origin.at);
    free(profile->sound.at);
    free(profile);
    errno = error;
    return error;
}
