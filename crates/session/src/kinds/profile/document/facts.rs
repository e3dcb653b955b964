//! What a profile tells of itself.

use std::collections::HashSet;
use std::sync::Arc;

use analysis::{LinkedRole, linked_roles};
use profile::{MemberId, Profile, StringId, base_name};

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
    let keys = keys_of_labels(&document.profile);
    keys.into_iter().map(|key| document.profile.text(key).to_owned()).collect()
}

/// The same, not as texts. There may be millions of labels, and few keys.
fn keys_of_labels(profile: &Profile) -> Vec<StringId> {
    let mut seen = vec![false; profile.strings.len()];
    let keys = profile.label_sets.all_keys().iter().copied();
    keys.filter(|key| !std::mem::replace(&mut seen[key.index()], true)).collect()
}

/// How many threads the profile tells apart, by its threads or else by its labels; 0 where
/// neither tells anything.
pub fn threads(document: &ProfileDocument) -> u32 {
    let profile = &document.profile;
    if !profile.threads.is_empty() {
        return profile.threads.len() as u32;
    }
    const KEYS: [&str; 5] = ["thread_id", "tid", "thread", "thread id", "thread_name"];
    let known = keys_of_labels(profile);
    let named = |name: &&str| known.iter().copied().find(|&key| profile.text(key) == *name);
    let Some(key) = KEYS.iter().find_map(named) else { return 0 };
    let labels = profile.label_sets.all_labels();
    let values = labels.filter(|label| label.key == key).map(|label| label.value);
    values.collect::<HashSet<_>>().len() as u32
}
