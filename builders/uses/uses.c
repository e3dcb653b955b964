/* Says the calls of uses.txt to the builder for C. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hotframe.h"

static int is_unsayable;

/* The argument `key` of a line, its bytes unescaped; NULL if it is `null` or missing. */
static char *text(const char *line, const char *key, char *room) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, " %s=", key);
    const char *at = strstr(line, wanted);
    if (at == NULL) return NULL;
    at += strlen(wanted);
    size_t len = 0;
    for (; *at != '\0' && *at != ' '; at++) {
        char hex[3] = {0};
        if (*at == '%') memcpy(hex, at + 1, 2), at += 2;
        room[len++] = hex[0] != '\0' ? (char)strtol(hex, NULL, 16) : *at;
    }
    room[len] = '\0';
    return strcmp(room, "null") == 0 ? NULL : room;
}

static int has(const char *line, const char *key) {
    char room[256];
    char wanted[32];
    snprintf(wanted, sizeof wanted, " %s=null", key);
    return text(line, key, room) != NULL || strstr(line, wanted) != NULL;
}

/* A number of a type that ends at `most`; what the type cannot hold cannot be said. */
static uint64_t number(const char *line, const char *key, uint64_t most) {
    char room[256], *end;
    const char *at = text(line, key, room);
    if (at == NULL) return 0;
    errno = 0;
    uint64_t found = strtoull(at, &end, 10);
    if (*at == '-' || *end != '\0' || end == at || errno != 0 || found > most) is_unsayable = 1;
    return found;
}

static int64_t signed_number(const char *at) {
    char *end;
    errno = 0;
    int64_t found = strtoll(at, &end, 10);
    if (*end != '\0' || end == at || errno != 0) is_unsayable = 1;
    return found;
}

static int64_t signed_argument(const char *line, const char *key) {
    char room[256];
    const char *at = text(line, key, room);
    return at == NULL ? 0 : signed_number(at);
}

static hf_row plus_1(const char *line, const char *key) {
    return has(line, key) ? number(line, key, UINT64_MAX) + 1 : 0;
}

static int refused(hf_row row) {
    return row == HF_NONE && errno == EINVAL;
}

static int point(hf_profile *profile, const char *line) {
    char values_text[256], label_text[256], link_text[256];
    int64_t values[8], time_ns = signed_argument(line, "time");
    hf_point_info info = {.context = number(line, "context", UINT64_MAX), .member = number(line, "member", UINT64_MAX)};
    if (has(line, "point")) return hf_point(profile, NULL) == EINVAL;
    if (text(line, "values", values_text) != NULL) {
        info.values = values;
        for (char *one = strtok(values_text, ","); one != NULL; one = strtok(NULL, ",")) {
            values[info.value_count++] = signed_number(one);
        }
    } else {
        info.value_count = 1;
    }
    hf_label label = {0};
    if (text(line, "label", label_text) != NULL) {
        char *value = strchr(label_text, ':');
        *value = '\0';
        label.key = strcmp(label_text, "null") == 0 ? NULL : label_text;
        label.text = value + 1;
        if (strcmp(label.text, "null") == 0) is_unsayable = 1;
        info.labels = &label;
        info.label_count = 1;
    }
    hf_link link = {0};
    if (text(line, "link", link_text) != NULL) {
        char *context = strchr(link_text, ':');
        *context = '\0';
        link.role = strcmp(link_text, "null") == 0 ? NULL : link_text;
        link.context = strtoull(context + 1, NULL, 10);
        info.links = &link;
        info.link_count = 1;
    }
    info.time_ns = has(line, "time") ? &time_ns : NULL;
    info.thread_plus_1 = plus_1(line, "thread");
    info.cpu_plus_1 = has(line, "cpu") ? (uint32_t)number(line, "cpu", UINT32_MAX - 1) + 1 : 0;
    return !is_unsayable && hf_point(profile, &info) == EINVAL;
}

/* Whether a call is refused. */
static int call(hf_profile **profile, const char *line) {
    char name[256], file[256], more[256], link[256];
    if (strstr(line, "frame:") != NULL) {
        is_unsayable = 1;
        return 0;
    }
    if (strncmp(line, "metric ", 7) == 0) {
        hf_metric_info info = {
            .name = text(line, "name", name), .unit = text(line, "unit", file),
            .decimals = (uint32_t)number(line, "decimals", UINT32_MAX),
            .over_contexts = (hf_combine)number(line, "contexts", INT32_MAX), .weight_plus_1 = plus_1(line, "weight"),
        };
        return !is_unsayable && refused(hf_metric(*profile, &info));
    }
    if (strncmp(line, "default ", 8) == 0) return hf_default_metric(*profile, number(line, "metric", UINT64_MAX)) == EINVAL;
    if (strncmp(line, "duration ", 9) == 0) {
        int64_t duration_ns = signed_argument(line, "ns");
        return !is_unsayable && hf_duration(*profile, duration_ns) == EINVAL;
    }
    if (strncmp(line, "module ", 7) == 0) {
        hf_module_info info = {
            .path = text(line, "path", name), .memory_start = number(line, "start", UINT64_MAX),
            .memory_limit = number(line, "limit", UINT64_MAX),
        };
        return refused(hf_module(*profile, &info));
    }
    if (strncmp(line, "frame ", 6) == 0) {
        if (has(line, "frame")) return refused(hf_frame(*profile, NULL));
        hf_place place = {
            .function = text(line, "function", name), .file = text(line, "file", file),
            .line = (uint32_t)number(line, "line", UINT32_MAX), .column = (uint32_t)number(line, "column", UINT32_MAX),
            .start_line = (uint32_t)number(line, "start_line", UINT32_MAX), .module_plus_1 = plus_1(line, "module"),
            .address = number(line, "address", UINT64_MAX), .kind = (hf_kind)number(line, "kind", INT32_MAX),
            .instruction = text(line, "instruction", more), .system_name = text(line, "system_name", link),
        };
        return !is_unsayable && refused(hf_frame(*profile, &place));
    }
    if (strncmp(line, "context ", 8) == 0) {
        hf_row parent = number(line, "parent", UINT64_MAX);
        return refused(hf_context(*profile, parent, number(line, "frame", UINT64_MAX)));
    }
    if (strncmp(line, "process ", 8) == 0) return refused(hf_process(*profile, text(line, "id", name), NULL));
    if (strncmp(line, "thread ", 7) == 0) {
        return refused(hf_thread(*profile, text(line, "id", name), NULL, plus_1(line, "process")));
    }
    if (strncmp(line, "member ", 7) == 0) {
        hf_member_info info = {.name = text(line, "name", name), .time_ns = signed_argument(line, "time")};
        return !is_unsayable && refused(hf_member(*profile, &info));
    }
    if (strncmp(line, "point ", 6) == 0) return point(*profile, line);
    if (strncmp(line, "note ", 5) == 0) {
        if (has(line, "note")) return hf_note(*profile, NULL) == EINVAL;
        hf_note_info info = {
            .title = text(line, "title", name), .text = text(line, "text", more), .link = text(line, "link", link),
            .context = number(line, "context", UINT64_MAX), .frame_plus_1 = plus_1(line, "frame"),
            .file = text(line, "file", file), .line = (uint32_t)number(line, "line", UINT32_MAX),
        };
        return !is_unsayable && hf_note(*profile, &info) == EINVAL;
    }
    if (strncmp(line, "flush", 5) == 0) return hf_flush(*profile) == EINVAL;
    hf_close(profile);
    return 0;
}

int main(int argc, char **argv) {
    char line[512], path[4096];
    hf_profile *profile = NULL;
    if (argc != 2) return 2;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "case ", 5) == 0) {
            snprintf(path, sizeof path, "%s/%s.hotframe", argv[1], line + 5);
            if ((profile = hf_open(path, NULL)) == NULL) return 1;
        } else if (strcmp(line, "end") == 0) {
            hf_close(&profile);
        } else {
            is_unsayable = 0;
            int is_refused = call(&profile, line);
            puts(is_unsayable ? "unsayable" : is_refused ? "refused" : "ok");
        }
    }
    return 0;
}
