//! What a profile tells of itself.

use std::sync::Arc;

use analysis::{LinkedRole, linked_roles};
use profile::{MemberId, base_name};

use super::profile_document::ProfileDocument;
use crate::kept::Question;

#[derive(PartialEq, Eq, Hash)]
struct Roles;

impl Question for Roles {
    type Answer = Vec<LinkedRole>;
    const KEPT: usize = 1;
}

/// The roles of the contexts that points join; empty where every point has one context.
pub fn roles(document: &ProfileDocument) -> Arc<Vec<LinkedRole>> {
    document.kept().made(Roles, || linked_roles(&document.profile))
}

/// What was measured, as far as the profile tells: the command of its runs, or the main binary.
pub fn program(document: &ProfileDocument) -> Option<&str> {
    let profile = &document.profile;
    let mut commands = (0..profile.members.len() as u32)
        .map(|member| profile.fact_text(MemberId(member), "command"));
    if let Some(Some(first)) = commands.next() {
        return commands.all(|other| other == Some(first)).then_some(first);
    }
    // The first mapping of pprof's profiles is the program.
    let main = profile.modules.first().filter(|_| profile.origin.format == "pprof")?;
    Some(base_name(profile.text(main.name))).filter(|name| !name.is_empty())
}

/// Keys of labels, in the order of first use.
pub fn label_keys(document: &ProfileDocument) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let labels = document.profile.label_sets.all_labels();
    let keys = labels.map(|label| label.key).filter(|key| seen.insert(*key));
    keys.map(|key| document.profile.text(key).to_owned()).collect()
}

/// How many threads the profile tells apart, by its threads or else by its labels; 0 where
/// neither tells anything.
pub fn threads(document: &ProfileDocument) -> u32 {
    if !document.profile.threads.is_empty() {
        return document.profile.threads.len() as u32;
    }
    const KEYS: [&str; 5] = ["thread_id", "tid", "thread", "thread id", "thread_name"];
    let known = label_keys(document);
    let Some(key) = KEYS.iter().find(|key| known.iter().any(|known| known == *key)) else {
        return 0;
    };
    let labels = document.profile.label_sets.all_labels();
    let of_key = labels.filter(|label| document.profile.text(label.key) == *key);
    of_key.map(|label| label.value).collect::<std::collections::HashSet<_>>().len() as u32
}
