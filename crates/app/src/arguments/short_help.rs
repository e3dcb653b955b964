//! What `-h` leaves out, so that it fits on one screen. `--help` has everything.

use clap::Command;

/// Options that few people need. Their names as fields of the arguments.
const RARE: &[&str] = &[
    // Reading files.
    "align",
    "binaries",
    "demangle",
    "from",
    "max_memory",
    "max_size",
    "members_by",
    "no_binaries",
    // What is shown.
    "around",
    "collapse_recursion",
    "cpu",
    "define",
    "depth",
    "during",
    "label_ignore",
    "no_drop_frames",
    "prune",
    "role",
    "show",
    "show_from",
    // Comparing.
    "base_around",
    "base_cpu",
    "base_during",
    "base_thread",
    "base_time",
    "noise",
    "normalise",
    "port",
    "rules",
    "unknown",
    "with_failed",
    // Reports.
    "measured",
    "note",
    "script",
    "search",
    "width",
    "with_python",
    // Recording.
    "add",
    "by_cpu",
    "count_interval",
    "counters",
    "dry_run",
    "mmap_pages",
    "multiplex",
    "overhead_frequencies",
    "perf",
    "period",
    "replace",
    "resume",
    "thread_name",
    "thread_names",
    "warm_up",
    // Caches.
    "combining_reads",
    "elements",
    "export",
    "inclusion",
    "load_address",
    "no_write_allocate",
    "packed",
    "prefetch_next",
    "private",
    "replacement",
    "run_python",
    "variants",
    "write_through",
];

/// Leaves rare options of a command and of those below it out of `-h`.
pub(super) fn on_one_screen(command: Command) -> Command {
    let command = command.mut_args(|option| {
        let is_rare = RARE.contains(&option.get_id().as_str());
        if is_rare { option.hide_short_help(true) } else { option }
    });
    let has_rare = command.get_arguments().any(|option| RARE.contains(&option.get_id().as_str()));
    let command = command.mut_subcommands(on_one_screen);
    if has_rare {
        command.after_help("--help explains everything, and has further options.")
    } else {
        command
    }
}
