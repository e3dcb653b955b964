/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Copyright (c) 2026 The Hotframe authors
 *
 * Writes Hotframe's exchange file: profiles that `hotframe open` shows. C99, no dependencies.
 *
 *     hf_profile *profile = hf_open("run.hotframe", &(hf_origin){.producer = "my profiler 1.0"});
 *     hf_metric(profile, &(hf_metric_info){.name = "time", .unit = "nanoseconds"});
 *     hf_row main = hf_context(profile, HF_ROOT, hf_frame(profile, &(hf_place){.function = "main"}));
 *     int64_t spent = 1200;
 *     hf_point(profile, &(hf_point_info){.context = main, .values = &spent, .value_count = 1});
 *     if (hf_close(&profile) != 0) perror("run.hotframe");
 *
 * Rows are written block by block: what is held in memory are the tables that name things, never
 * the points. Labels are kept until they are many, then they are forgotten and written again where
 * they return. The format is schema/profile.proto.
 *
 * A call that is wrong (a row that does not exist, a NULL, a number out of range) is refused: it
 * gives HF_NONE or EINVAL, sets errno, and changes nothing. What was right is written all the same,
 * and hf_close gives the first error again. After an error of writing or of memory nothing more is
 * written; what stands in the file is a sound profile. Errors are numbers of errno.h.
 *
 * Texts are UTF-8; bytes that are not become U+FFFD. A profile must not be used by several threads
 * at once.
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

/* No row: the call was refused. */
#define HF_NONE UINT64_MAX
/* The whole program: the parent of the first frame of a stack. */
#define HF_ROOT ((hf_row)0)

typedef struct hf_profile hf_profile;

/* Where a profile comes from; what is unknown is NULL or 0. */
typedef struct {
    const char *producer; /* what measured it, with version */
    int64_t time_ns;      /* start, in nanoseconds since 1970; 0 if unknown */
    int64_t duration_ns;  /* length in nanoseconds; 0 if unknown; see hf_duration */
    int64_t clock_ns;     /* what the producer's own clock showed at time 0 of the points, in nanoseconds */
    int64_t period;       /* events between two samples, and what they count */
    const char *period_type, *period_unit;
    const char *const *comments;
    size_t comment_count;
} hf_origin;

/* What several values together say. */
typedef enum {
    HF_SUM = 0,
    HF_MAXIMUM = 1,
    HF_MINIMUM = 2,
    HF_LAST = 3,      /* the last in time; of points without time the last in the file */
    HF_MEAN = 4,
    HF_NO_FIGURE = 5, /* there is no such figure */
} hf_combine;

/* A metric. Values count 10^-decimals of the unit; at most 18 decimals. */
typedef struct {
    const char *name, *unit;
    uint32_t decimals;
    hf_combine over_contexts; /* of the contexts below one, or of several contexts shown as one */
    hf_combine over_time;     /* of one context at several times */
    hf_combine over_members;  /* of several members */
    hf_row weight_plus_1;     /* the metric that weights an HF_MEAN; 0 if all points weigh the same */
} hf_metric_info;

/* A binary or library; what is unknown is NULL or 0. */
typedef struct {
    const char *path, *build_id;
    /* The mapping: first address, first address after it, offset in the file. */
    uint64_t memory_start, memory_limit, file_offset;
} hf_module_info;

/* What a frame is. */
typedef enum {
    HF_CODE = 0,   /* code of a function */
    HF_LOOP = 1,   /* a loop of the function around it */
    HF_DATA = 2,   /* a variable, or the memory that its parent context allocated */
    HF_REGION = 3, /* a phase, an annotation, an event */
    HF_BLOCK = 4,  /* a basic block of the function around it: instructions that run one after the other */
} hf_kind;

/* A function that was inlined; what is unknown is NULL or 0. */
typedef struct {
    const char *function, *file;
    uint32_t line, column, start_line;
    const char *system_name; /* the linker's name */
} hf_inlined;

/* A place in code; what is unknown is NULL or 0. */
typedef struct {
    const char *function, *file;
    uint32_t line, column, start_line;
    const char *system_name; /* the linker's name */
    hf_row module_plus_1;    /* 0 for none */
    uint64_t address;
    hf_kind kind;
    const hf_inlined *inlined; /* the outermost first */
    size_t inlined_count;
    const char *instruction; /* the instruction at the address, as a disassembler writes it */
} hf_place;

/* One of several profiles in the file: a snapshot, a run; what is unknown is NULL or 0. */
typedef struct {
    const char *name, *producer, *host;
    int64_t time_ns;     /* start, in nanoseconds since 1970; 0 if unknown */
    int64_t duration_ns; /* length in nanoseconds; 0 if unknown */
} hf_member_info;

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
    const int64_t *values; /* one a metric, in their order */
    size_t value_count;
    const hf_label *labels;
    size_t label_count;
    const int64_t *time_ns; /* nanoseconds after the start of the member, or of the profile; NULL if unknown */
    hf_row thread_plus_1;   /* 0 for none */
    uint32_t cpu_plus_1;    /* 0 for none */
    hf_row member;          /* 0 where there are no members */
    const hf_link *links;
    size_t link_count;
} hf_point_info;

/* What is to be said of a place: of one context, function or line, or, if none is given, of the whole
 * program. Texts are plain. */
typedef struct {
    const char *title, *text; /* a few words, and more of it, or NULL */
    const char *link;         /* where more is said: begins with https://, http:// or file://; or NULL */
    hf_row context;
    hf_row frame_plus_1;      /* the function of the frame, wherever it is called; 0 for none */
    const char *file;         /* a source file, and a line of it, from 1 */
    uint32_t line;
} hf_note_info;

/* Opens a file for writing; NULL on error, with errno set. */
hf_profile *hf_open(const char *path, const hf_origin *origin);
/* Writes to a stream, which hf_close does not close; NULL on error, with errno set. */
hf_profile *hf_new(FILE *out, const hf_origin *origin);

/* A metric. All must come before the first point. */
hf_row hf_metric(hf_profile *profile, const hf_metric_info *metric);
/* A binary or library. */
hf_row hf_module(hf_profile *profile, const hf_module_info *module);
/* A place in code. */
hf_row hf_frame(hf_profile *profile, const hf_place *place);
/* A frame called from the context parent. */
hf_row hf_context(hf_profile *profile, hf_row parent, hf_row frame);
/* A process, or a rank of a parallel program. */
hf_row hf_process(hf_profile *profile, const char *id, const char *name);
/* A thread; process_plus_1 is 0 for none. */
hf_row hf_thread(hf_profile *profile, const char *id, const char *name, hf_row process_plus_1);
/* One of several profiles in the file: a snapshot, a run. */
hf_row hf_member(hf_profile *profile, const hf_member_info *member);

/* The metric to show first; 0, or the error. */
int hf_default_metric(hf_profile *profile, hf_row metric);
/* The profile's length in nanoseconds, once it is known; 0, or the error. */
int hf_duration(hf_profile *profile, int64_t duration_ns);
/* Adds a monitoring point; 0, or the error. */
int hf_point(hf_profile *profile, const hf_point_info *point);
/* Says something of a place; 0, or the error. */
int hf_note(hf_profile *profile, const hf_note_info *note);
/* Writes what is known so far; 0, or the error. A file that ends here is a sound profile. */
int hf_flush(hf_profile *profile);
/* The first error, or 0. */
int hf_error(const hf_profile *profile);
/* Writes the rest, frees the profile and sets the pointer to NULL, which every function refuses;
 * 0, or the first error. */
int hf_close(hf_profile **profile);

#ifdef __cplusplus
}
#endif

#endif
