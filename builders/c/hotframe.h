/* Writes Hotframe's exchange file: profiles that `hotframe open` shows. C99, no dependencies.
 *
 *     hf_profile *profile = hf_open("run.hotframe", &(hf_origin){.producer = "my profiler 1.0"});
 *     hf_row time = hf_metric(profile, "time", "nanoseconds", 0);
 *     hf_row main = hf_context(profile, HF_ROOT, hf_frame(profile, &(hf_place){.function = "main"}));
 *     hf_point(profile, &(hf_point_info){.context = main, .values = (int64_t[]){1200}});
 *     if (hf_close(profile) != 0) perror("run.hotframe");
 *
 * Rows are written block by block: what is held in memory are the tables that name things, never
 * the points. The format is schema/profile.proto.
 *
 * Errors stay: after the first one nothing is written any more, every function returns HF_NONE or
 * its error, and hf_close gives it again. It is a number of errno.h. A profile must not be used by
 * several threads at once.
 */
#ifndef HOTFRAME_H
#define HOTFRAME_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of a row. The same arguments give the same row. */
typedef uint64_t hf_row;

/* No row. */
#define HF_NONE UINT64_MAX
/* The whole programme: the parent of the first frame of a stack. */
#define HF_ROOT ((hf_row)0)

typedef struct hf_profile hf_profile;

/* Where a profile comes from; what is unknown is NULL or 0. Nanoseconds, time_ns from 1970. */
typedef struct {
    const char *producer;
    int64_t time_ns, duration_ns;
    const char *const *comments;
    size_t comment_count;
} hf_origin;

/* What a frame is. */
typedef enum {
    HF_CODE = 0,   /* code of a function */
    HF_LOOP = 1,   /* a loop of the function around it */
    HF_DATA = 2,   /* a variable, or the memory that its parent context allocated */
    HF_REGION = 3, /* a phase, an annotation, an event */
} hf_kind;

/* A function that was inlined. */
typedef struct {
    const char *function, *file;
    uint32_t line;
} hf_inlined;

/* A place in code; what is unknown is NULL or 0. */
typedef struct {
    const char *function, *file;
    uint32_t line, column, start_line;
    hf_row module_plus_1; /* 0 for none */
    uint64_t address;
    hf_kind kind;
    const hf_inlined *inlined; /* the outermost first */
    size_t inlined_count;
} hf_place;

/* A label: a text, or, if text is NULL, a number that may have a unit. */
typedef struct {
    const char *key, *text;
    int64_t number;
    const char *unit;
} hf_label;

/* A context that a point relates, with its role. */
typedef struct {
    const char *role;
    hf_row context;
} hf_link;

/* A monitoring point: one value a metric, measured in a context. If there are links, the point's
 * own context must be among them. */
typedef struct {
    hf_row context;
    const int64_t *values; /* in the order of the metrics */
    const hf_label *labels;
    size_t label_count;
    const int64_t *time_ns; /* from the start of the profile; NULL if unknown */
    hf_row thread_plus_1;   /* 0 for none */
    uint32_t cpu_plus_1;    /* 0 for none */
    hf_row member;
    const hf_link *links;
    size_t link_count;
} hf_point_info;

/* Opens a file for writing; NULL on error, with errno set. */
hf_profile *hf_open(const char *path, const hf_origin *origin);
/* Writes to a stream, which hf_close does not close; NULL on error, with errno set. */
hf_profile *hf_new(FILE *out, const hf_origin *origin);

/* A metric. Values count 10^-decimals of the unit. All must come before the first point. */
hf_row hf_metric(hf_profile *profile, const char *name, const char *unit, uint32_t decimals);
/* A binary or library. */
hf_row hf_module(hf_profile *profile, const char *path, const char *build_id);
/* A place in code. */
hf_row hf_frame(hf_profile *profile, const hf_place *place);
/* A frame called from the context parent. */
hf_row hf_context(hf_profile *profile, hf_row parent, hf_row frame);
/* A process, or a rank of a parallel programme. */
hf_row hf_process(hf_profile *profile, const char *id, const char *name);
/* A thread; process_plus_1 is 0 for none. */
hf_row hf_thread(hf_profile *profile, const char *id, const char *name, hf_row process_plus_1);
/* One of several profiles in the file: a snapshot, a run. */
hf_row hf_member(hf_profile *profile, const char *name, int64_t time_ns, int64_t duration_ns);

/* Adds a monitoring point; 0, or the error. */
int hf_point(hf_profile *profile, const hf_point_info *point);
/* Writes what is known so far. A file that ends here is a sound profile. */
int hf_flush(hf_profile *profile);
/* The first error, or 0. */
int hf_error(const hf_profile *profile);
/* Writes the rest and frees the profile; 0, or the first error. */
int hf_close(hf_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
