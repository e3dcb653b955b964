//! What is to be told of a document: what readers repaired or skipped, what a merge left out, what a reader
//! should know of its values.

use analysis::{CompleteStacks, complete_stacks, unlisted_links};

use super::document::facts::roles;
use super::document::profile_document::ProfileDocument;
use super::trees::views::filtered_profile;

/// What readers repaired or skipped and what a merge left out, as message and count.
pub fn warnings(document: &ProfileDocument) -> Vec<(String, u64)> {
    let mut list: Vec<_> = document.warnings.iter().map(|w| (w.message.clone(), w.count)).collect();
    list.extend(document.notes.iter().map(|note| (note.to_string(), note.count())));
    for metric in document.profile.metric_ids() {
        if document.profile.metric_total(metric).1 {
            let text = format!(
                "values of {} add up to more than 64 bits hold; sums stop at the limit, and results based on them are wrong",
                document.profile.metric(metric).name
            );
            list.push((text, 1));
        }
    }
    if let Some(stacks) = complete_stacks(&document.profile) {
        list.extend(callers_missing(stacks));
    }
    if document.profile.origin.estimated_paths {
        // Of several formats some may record paths.
        let format = &document.profile.origin.format;
        let who = if format.contains(", ") { "a profile" } else { format };
        let text = format!(
            "call paths are estimates: {who} records callers and callees, so a function's cost \
             is divided among its callers' paths in proportion"
        );
        list.push((text, 1));
    }
    if let unlisted @ 1.. = unlisted_links(&document.profile, &roles(document)) {
        let text =
            "some linked contexts have no view: only the first 4 of a role and 16 in all have one";
        list.push((text.to_owned(), unlisted));
    }
    if !document.profile.origin.drop_frames.is_empty()
        && let Ok(filtered) = filtered_profile(document, &[], true)
    {
        let pattern = &document.profile.origin.drop_frames;
        match (filtered.drop_frames_error(), filtered.hidden_contexts()) {
            (Some(error), _) => list.push((format!("drop_frames is ignored: {error}"), 1)),
            (None, 0) => {}
            (None, hidden) => list.push((
                format!(
                    "the profile asks to fold frames that match {pattern} into their callers \
                     (drop_frames)"
                ),
                hidden as u64,
            )),
        }
    }
    list
}

/// What is to be told of stacks that do not go up to where a thread begins, with how many there are.
fn callers_missing(stacks: CompleteStacks) -> Option<(String, u64)> {
    /// Fewer stacks that are cut are usual: signals, exits, the first instructions of functions.
    const FEW: f64 = 0.1;
    /// Fewer samples say nothing.
    const LEAST: u64 = 50;
    let cut = stacks.judged - stacks.whole;
    let share = cut as f64 / stacks.judged.max(1) as f64;
    (cut >= LEAST && share > FEW).then(|| {
        let text = format!(
            "{:.0} % of the stacks do not reach where a thread or the program begins: their callers are \
             missing, since code has no frame pointers or copies of the stack were cut; record with \
             --call-graph dwarf, or compile with -fno-omit-frame-pointer",
            share * 100.0
        );
        (text, cut)
    })
}
