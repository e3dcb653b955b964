//! Recordings of several hosts, whose clocks differ.

use std::collections::{BTreeMap, BTreeSet};

use profile::Member;

use super::{AlignBy, AlignError};

/// By member, how many nanoseconds later it is shown than its host's clock says.
pub(super) fn offsets(
    members: &[Member],
    by_host: &[(String, i64)],
) -> Result<Vec<i64>, AlignError> {
    let mut offset = BTreeMap::new();
    for (host, time) in by_host {
        if !members.iter().any(|member| member.host == *host) {
            let known: BTreeSet<&str> = hosts(members).collect();
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(AlignError::NoHost { name: host.clone(), known });
        }
        if offset.insert(host.as_str(), *time).is_some() {
            return Err(AlignError::Twice(host.clone()));
        }
    }
    Ok(members.iter().map(|one| offset.get(&*one.host).copied().unwrap_or(0)).collect())
}

/// Hosts whose clocks are taken as they are, where several are and so may differ by what nobody knows;
/// else none.
pub fn unsure_clocks<'a>(members: &'a [Member], by: &AlignBy) -> Vec<&'a str> {
    let AlignBy::Clock(offsets) = by else { return vec![] };
    let all: BTreeSet<&str> = hosts(members).collect();
    let is_told = |host: &&str| offsets.iter().any(|(name, _)| name == host);
    let unsure: Vec<&str> = all.into_iter().filter(|host| !is_told(host)).collect();
    // The others are told from one.
    if unsure.len() > 1 { unsure } else { vec![] }
}

/// Whether members of several hosts were measured at once, as far as their clocks tell.
pub fn were_at_once(members: &[Member]) -> bool {
    let mut all: Vec<&Member> = members.iter().collect();
    if all.iter().any(|member| member.time_ns == 0 || member.host.is_empty()) {
        return false;
    }
    all.sort_by_key(|member| member.time_ns);
    let end = |member: &Member| member.time_ns.saturating_add(member.duration_ns);
    let mut last: Option<&Member> = None;
    for member in all {
        if let Some(last) = last.filter(|last| member.time_ns < end(last))
            && last.host != member.host
        {
            return true;
        }
        if last.is_none_or(|last| end(last) < end(member)) {
            last = Some(member);
        }
    }
    false
}

fn hosts(members: &[Member]) -> impl Iterator<Item = &str> {
    members.iter().map(|member| &*member.host).filter(|host| !host.is_empty())
}
