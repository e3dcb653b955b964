#include "hotframe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "hotframe profile"
#define VERSION 1
/* Points in one block. */
#define BLOCK_POINTS 4096

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

/* Rows by key, with open addressing. */
typedef struct {
    /* Keys one after the other, and where each starts. */
    bytes keys;
    column starts;
    /* Slots hold a row plus one. */
    uint64_t *slots;
    size_t slot_count;
} table;

enum { STRINGS, METRICS, MODULES, FUNCTIONS, LOCATIONS, CONTEXTS, LABEL_SETS, PROCESSES, THREADS, MEMBERS, ROLES, TABLES };

struct hf_profile {
    FILE *out;
    int owns_out, error, head_written;
    size_t metrics;
    table tables[TABLES];
    /* Rows that are not written yet: messages of the tables of messages, columns of the others. */
    bytes new_strings, new_metrics, new_modules, new_processes, new_threads, new_members, origin;
    column new_roles;
    column function_name, function_file, function_line;
    column kind, module, address, frame_count, frame_function, frame_line, frame_column;
    column distance, location;
    column label_count, label_key, label_unit, label_value;
    /* The points of the block. */
    column point_context, point_labels, point_times, point_timed, point_thread, point_cpu, point_member;
    column link_count, link_role, link_context;
    /* All metrics of a point follow each other. */
    column values;
};

static void fail(hf_profile *profile, int error) {
    if (profile->error == 0) profile->error = error;
}

static int reserve(hf_profile *profile, void **at, size_t *room, size_t wanted, size_t size) {
    if (wanted <= *room) return 1;
    size_t more = *room * 2 > wanted ? *room * 2 : wanted + 16;
    void *moved = more > SIZE_MAX / size ? NULL : realloc(*at, more * size);
    if (moved == NULL) {
        fail(profile, ENOMEM);
        return 0;
    }
    *at = moved;
    *room = more;
    return 1;
}

static void put_bytes(hf_profile *profile, bytes *to, const void *from, size_t len) {
    if (len == 0 || !reserve(profile, (void **)&to->at, &to->room, to->len + len, 1)) return;
    memcpy(to->at + to->len, from, len);
    to->len += len;
}

static void push(hf_profile *profile, column *to, uint64_t value) {
    if (!reserve(profile, (void **)&to->at, &to->room, to->len + 1, sizeof value)) return;
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

/* A text field; the empty text is left out. */
static void put_text(hf_profile *profile, bytes *to, uint64_t field, const char *text) {
    if (text != NULL && *text != '\0') put_message(profile, to, field, text, strlen(text));
}

static void put_packed(hf_profile *profile, bytes *to, uint64_t field, const uint64_t *cells, size_t count, size_t stride) {
    bytes inner = {0};
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

static const unsigned char *key_of(const table *in, uint64_t row, size_t *len) {
    uint64_t start = in->starts.at[row];
    uint64_t end = row + 1 < in->starts.len ? in->starts.at[row + 1] : in->keys.len;
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
    uint64_t *slots = calloc(count, sizeof *slots);
    if (slots == NULL) {
        fail(profile, ENOMEM);
        return 0;
    }
    free(to->slots);
    to->slots = slots;
    to->slot_count = count;
    for (uint64_t row = 0; row < to->starts.len; row++) {
        size_t len;
        const unsigned char *key = key_of(to, row, &len);
        *slot_of(to, key, len) = row + 1;
    }
    return 1;
}

/* The row of a key, and whether it is new. */
static uint64_t intern(hf_profile *profile, int which, const void *key, size_t len, int *is_new) {
    table *in = &profile->tables[which];
    *is_new = 0;
    if (profile->error != 0) return 0;
    if ((in->starts.len + 1) * 2 > in->slot_count && !grow(profile, in)) return 0;
    uint64_t *slot = slot_of(in, key, len);
    if (*slot == 0) {
        push(profile, &in->starts, in->keys.len);
        put_bytes(profile, &in->keys, key, len);
        if (profile->error != 0) return 0;
        *slot = in->starts.len;
        *is_new = 1;
    }
    return *slot - 1;
}

static uint64_t intern_cells(hf_profile *profile, int which, const uint64_t *cells, size_t count, int *is_new) {
    return intern(profile, which, cells, count * sizeof *cells, is_new);
}

static uint64_t string(hf_profile *profile, const char *text) {
    int is_new;
    if (text == NULL || *text == '\0') return 0;
    uint64_t row = intern(profile, STRINGS, text, strlen(text), &is_new) + 1;
    if (is_new) put_message(profile, &profile->new_strings, 1, text, strlen(text));
    return row;
}

static hf_row checked(const hf_profile *profile, uint64_t row) {
    return profile->error == 0 ? row : HF_NONE;
}

hf_profile *hf_new(FILE *out, const hf_origin *origin) {
    hf_profile *profile = calloc(1, sizeof *profile);
    if (profile == NULL) return NULL;
    profile->out = out;
    if (origin != NULL) {
        put_text(profile, &profile->origin, 2, origin->producer);
        put_integer(profile, &profile->origin, 5, zigzag(origin->time_ns));
        put_integer(profile, &profile->origin, 6, zigzag(origin->duration_ns));
        for (size_t row = 0; row < origin->comment_count; row++) {
            put_text(profile, &profile->origin, 13, origin->comments[row]);
        }
    }
    return profile;
}

hf_profile *hf_open(const char *path, const hf_origin *origin) {
    FILE *out = fopen(path, "wb");
    if (out == NULL) return NULL;
    hf_profile *profile = hf_new(out, origin);
    if (profile == NULL) {
        fclose(out);
        errno = ENOMEM;
    } else {
        profile->owns_out = 1;
    }
    return profile;
}

hf_row hf_metric(hf_profile *profile, const char *name, const char *unit, uint32_t decimals) {
    bytes message = {0};
    int is_new;
    put_text(profile, &message, 1, name);
    put_text(profile, &message, 2, unit);
    put_integer(profile, &message, 3, decimals);
    uint64_t row = intern(profile, METRICS, message.at, message.len, &is_new);
    if (is_new) {
        /* Points already have their values. */
        if (profile->head_written || profile->point_context.len > 0) fail(profile, EINVAL);
        put_message(profile, &profile->new_metrics, 3, message.at, message.len);
        profile->metrics++;
    }
    free(message.at);
    return checked(profile, row);
}

/* A row whose cells are a message of integers. */
static hf_row add_message(hf_profile *profile, int which, bytes *to, uint64_t field, const uint64_t *cells, size_t count) {
    bytes message = {0};
    int is_new;
    for (size_t cell = 0; cell < count; cell++) put_integer(profile, &message, cell + 1, cells[cell]);
    uint64_t row = intern_cells(profile, which, cells, count, &is_new);
    if (is_new) put_message(profile, to, field, message.at, message.len);
    free(message.at);
    return checked(profile, row);
}

hf_row hf_module(hf_profile *profile, const char *path, const char *build_id) {
    uint64_t cells[2];
    cells[0] = string(profile, path);
    cells[1] = string(profile, build_id);
    return add_message(profile, MODULES, &profile->new_modules, 4, cells, 2);
}

static uint64_t function(hf_profile *profile, const char *name, const char *file, uint32_t line) {
    uint64_t cells[3];
    int is_new;
    cells[0] = string(profile, name);
    cells[1] = string(profile, file);
    cells[2] = line;
    uint64_t row = intern_cells(profile, FUNCTIONS, cells, 3, &is_new);
    if (is_new) {
        push(profile, &profile->function_name, cells[0]);
        push(profile, &profile->function_file, cells[1]);
        push(profile, &profile->function_line, cells[2]);
    }
    return row;
}

hf_row hf_frame(hf_profile *profile, const hf_place *place) {
    column cells = {0};
    int is_new;
    push(profile, &cells, place->kind);
    push(profile, &cells, place->module_plus_1);
    push(profile, &cells, place->address);
    push(profile, &cells, function(profile, place->function, place->file, place->start_line));
    push(profile, &cells, place->line);
    push(profile, &cells, place->column);
    for (size_t row = 0; row < place->inlined_count; row++) {
        const hf_inlined *inlined = &place->inlined[row];
        push(profile, &cells, function(profile, inlined->function, inlined->file, 0));
        push(profile, &cells, inlined->line);
        push(profile, &cells, 0);
    }
    uint64_t row = intern_cells(profile, LOCATIONS, cells.at, cells.len, &is_new);
    if (is_new) {
        push(profile, &profile->kind, cells.at[0]);
        push(profile, &profile->module, cells.at[1]);
        push(profile, &profile->address, cells.at[2]);
        push(profile, &profile->frame_count, 1 + place->inlined_count);
        for (size_t cell = 3; cell < cells.len; cell += 3) {
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
    cells[0] = parent;
    cells[1] = frame;
    if (parent == HF_NONE || frame == HF_NONE) fail(profile, EINVAL);
    uint64_t row = intern_cells(profile, CONTEXTS, cells, 2, &is_new) + 1;
    if (is_new) {
        push(profile, &profile->distance, row - parent);
        push(profile, &profile->location, frame);
    }
    return checked(profile, row);
}

hf_row hf_process(hf_profile *profile, const char *id, const char *name) {
    uint64_t cells[2];
    cells[0] = string(profile, id);
    cells[1] = string(profile, name);
    return add_message(profile, PROCESSES, &profile->new_processes, 9, cells, 2);
}

hf_row hf_thread(hf_profile *profile, const char *id, const char *name, hf_row process_plus_1) {
    uint64_t cells[3];
    cells[0] = process_plus_1;
    cells[1] = string(profile, id);
    cells[2] = string(profile, name);
    return add_message(profile, THREADS, &profile->new_threads, 10, cells, 3);
}

hf_row hf_member(hf_profile *profile, const char *name, int64_t time_ns, int64_t duration_ns) {
    bytes message = {0};
    int is_new;
    put_text(profile, &message, 1, name);
    put_integer(profile, &message, 4, zigzag(time_ns));
    put_integer(profile, &message, 5, zigzag(duration_ns));
    uint64_t row = intern(profile, MEMBERS, message.at, message.len, &is_new);
    if (is_new) put_message(profile, &profile->new_members, 11, message.at, message.len);
    free(message.at);
    return checked(profile, row);
}

static uint64_t role(hf_profile *profile, const char *name) {
    int is_new;
    uint64_t text = string(profile, name);
    uint64_t row = intern_cells(profile, ROLES, &text, 1, &is_new);
    if (is_new) push(profile, &profile->new_roles, text);
    return row;
}

static uint64_t label_set(hf_profile *profile, const hf_label *labels, size_t count) {
    column cells = {0};
    int is_new;
    if (count == 0) return 0;
    for (size_t row = 0; row < count; row++) {
        const hf_label *label = &labels[row];
        push(profile, &cells, string(profile, label->key));
        if (label->text != NULL) {
            push(profile, &cells, 0);
            push(profile, &cells, zigzag((int64_t)string(profile, label->text)));
        } else {
            push(profile, &cells, string(profile, label->unit) + 1);
            push(profile, &cells, zigzag(label->number));
        }
    }
    uint64_t row = intern_cells(profile, LABEL_SETS, cells.at, cells.len, &is_new) + 1;
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

int hf_point(hf_profile *profile, const hf_point_info *point) {
    int is_linked = point->link_count == 0;
    for (size_t row = 0; row < point->link_count; row++) {
        is_linked |= point->links[row].context == point->context;
    }
    if (!is_linked || point->context == HF_NONE) fail(profile, EINVAL);
    if (profile->error != 0) return profile->error;
    for (size_t row = 0; row < point->link_count; row++) {
        push(profile, &profile->link_role, role(profile, point->links[row].role));
        push(profile, &profile->link_context, point->links[row].context);
    }
    push(profile, &profile->link_count, point->link_count);
    push(profile, &profile->point_labels, label_set(profile, point->labels, point->label_count));
    push(profile, &profile->point_context, point->context);
    for (size_t metric = 0; metric < profile->metrics; metric++) {
        push(profile, &profile->values, zigzag(point->values == NULL ? 0 : point->values[metric]));
    }
    if (point->time_ns != NULL) push(profile, &profile->point_times, (uint64_t)*point->time_ns);
    push(profile, &profile->point_timed, point->time_ns != NULL);
    push(profile, &profile->point_thread, point->thread_plus_1);
    push(profile, &profile->point_cpu, point->cpu_plus_1);
    push(profile, &profile->point_member, point->member);
    return profile->point_context.len >= BLOCK_POINTS ? hf_flush(profile) : profile->error;
}

static void put_functions(hf_profile *profile, bytes *to) {
    bytes message = {0};
    if (profile->function_name.len == 0) return;
    put_integer(profile, &message, 1, profile->function_name.len);
    put_column(profile, &message, 2, &profile->function_name);
    put_column(profile, &message, 4, &profile->function_file);
    put_column(profile, &message, 5, &profile->function_line);
    put_message(profile, to, 5, message.at, message.len);
    free(message.at);
}

static void put_locations(hf_profile *profile, bytes *to) {
    bytes message = {0};
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
    put_message(profile, to, 6, message.at, message.len);
    free(message.at);
}

static void put_contexts(hf_profile *profile, bytes *to) {
    bytes message = {0};
    if (profile->location.len == 0) return;
    put_integer(profile, &message, 1, profile->location.len);
    put_column(profile, &message, 2, &profile->distance);
    put_column(profile, &message, 3, &profile->location);
    put_message(profile, to, 7, message.at, message.len);
    free(message.at);
}

static void put_label_sets(hf_profile *profile, bytes *to) {
    bytes message = {0};
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
    bytes message = {0};
    size_t count = profile->point_context.len;
    if (count == 0) return;
    put_integer(profile, &message, 1, count);
    to_deltas(&profile->point_context);
    put_column(profile, &message, 2, &profile->point_context);
    for (size_t metric = 0; metric < profile->metrics; metric++) {
        bytes inner = {0};
        put_cells(profile, &inner, 1, profile->values.at + metric, count, profile->metrics);
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

static bytes *const *new_messages(hf_profile *profile, bytes *list[6]) {
    list[0] = &profile->new_strings;
    list[1] = &profile->new_metrics;
    list[2] = &profile->new_modules;
    list[3] = &profile->new_processes;
    list[4] = &profile->new_threads;
    list[5] = &profile->new_members;
    return list;
}

enum { COLUMNS = 26 };

static column *const *new_columns(hf_profile *profile, column *list[COLUMNS]) {
    column *all[COLUMNS] = {
        &profile->new_roles, &profile->function_name, &profile->function_file, &profile->function_line,
        &profile->kind, &profile->module, &profile->address, &profile->frame_count,
        &profile->frame_function, &profile->frame_line, &profile->frame_column, &profile->distance,
        &profile->location, &profile->label_count, &profile->label_key, &profile->label_unit,
        &profile->label_value, &profile->point_context, &profile->point_labels, &profile->point_times,
        &profile->point_timed, &profile->point_thread, &profile->point_cpu, &profile->point_member,
        &profile->values, &profile->link_count,
    };
    memcpy(list, all, sizeof all);
    return list;
}

int hf_flush(hf_profile *profile) {
    bytes block = {0}, out = {0};
    bytes *messages[6];
    column *columns[COLUMNS];
    if (profile->error != 0) return profile->error;
    put_bytes(profile, &block, profile->new_strings.at, profile->new_strings.len);
    if (!profile->head_written) {
        put_text(profile, &out, 1, MAGIC);
        put_integer(profile, &out, 2, VERSION);
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
    if (block.len > 0) put_message(profile, &out, 3, block.at, block.len);
    if (profile->error == 0 && out.len > 0) {
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
    profile->link_role.len = profile->link_context.len = 0;
    return profile->error;
}

int hf_error(const hf_profile *profile) {
    return profile->error;
}

int hf_close(hf_profile *profile) {
    bytes *messages[6];
    column *columns[COLUMNS];
    if (profile == NULL) return EINVAL;
    hf_flush(profile);
    int error = profile->error;
    if (profile->owns_out && fclose(profile->out) != 0 && error == 0) error = errno;
    for (size_t which = 0; which < TABLES; which++) {
        free(profile->tables[which].keys.at);
        free(profile->tables[which].starts.at);
        free(profile->tables[which].slots);
    }
    new_messages(profile, messages);
    for (size_t row = 0; row < 6; row++) free(messages[row]->at);
    new_columns(profile, columns);
    for (size_t row = 0; row < COLUMNS; row++) free(columns[row]->at);
    free(profile->link_role.at);
    free(profile->link_context.at);
    free(profile->origin.at);
    free(profile);
    errno = error;
    return error;
}
