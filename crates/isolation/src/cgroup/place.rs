//! Where the cgroups of runs can be: version 2, version 1, or nowhere.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use serde::{Deserialize, Serialize};

/// Where they can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    parents: Vec<Parent>,
    /// Why there is none.
    pub(crate) why_not: Option<String>,
}

/// A cgroup that ours can stand in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parent {
    pub(crate) folder: PathBuf,
    /// The cgroup that we are in.
    pub(crate) home: PathBuf,
    pub(crate) is_v2: bool,
    controllers: Vec<String>,
}

impl Place {
    /// None after all.
    pub(crate) fn without(&self, why: &str) -> Place {
        Place { parents: vec![], why_not: Some(why.to_owned()) }
    }

    pub(crate) fn parents(&self) -> impl Iterator<Item = &Parent> {
        self.parents.iter()
    }

    pub(crate) fn of_memory(&self) -> Option<&Parent> {
        self.parents.iter().find(|parent| parent.holds("memory"))
    }

    pub(crate) fn of_processes(&self) -> Option<&Parent> {
        self.parents.iter().find(|parent| parent.holds("pids"))
    }

    pub(crate) fn of_processor(&self) -> Option<&Parent> {
        self.parents.iter().find(|parent| parent.is_v2 || parent.holds("cpuacct"))
    }
}

impl Parent {
    pub(crate) fn holds(&self, controller: &str) -> bool {
        self.controllers.iter().any(|held| held == controller)
    }

    pub(crate) fn controllers(&self) -> String {
        self.controllers.join(", ")
    }

    /// Where a process of one thread writes itself. Where that moves single threads, the kernel
    /// stops nobody meanwhile, and is done ten milliseconds earlier.
    pub(crate) fn entry(&self) -> &'static str {
        if self.is_v2 { "cgroup.procs" } else { "tasks" }
    }

    pub(crate) fn version(&self) -> &'static str {
        if self.is_v2 { "cgroup v2" } else { "cgroup v1" }
    }
}

/// Looks where this process is, and where cgroups are mounted.
pub(crate) fn find() -> Place {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    let (own, mounts) = (read("/proc/self/cgroup"), read("/proc/self/mountinfo"));
    let can_write = |path: &Path| access(path, Access::WRITE_OK).is_ok();
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    find_in(&own, &mounts, &can_write, &text)
}

fn find_in(
    own: &str,
    mounts: &str,
    can_write: &dyn Fn(&Path) -> bool,
    text: &dyn Fn(&Path) -> String,
) -> Place {
    let mounts: Vec<Mount<'_>> = mounts.lines().filter_map(Mount::read).collect();
    let mut parents = vec![];
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let is_v2 = controllers.is_empty();
        let Some(home) = mounts.iter().find_map(|mount| mount.folder(is_v2, controllers, path))
        else {
            continue;
        };
        if is_v2 {
            // A cgroup with processes in it hands no controllers on, unless it is the root: ours
            // then stands beside the one that we are in.
            let beside = home.parent().filter(|_| path != "/").map(Path::to_owned);
            parents.extend([Some(home.clone()), beside].into_iter().flatten().find_map(|folder| {
                let handed = text(&folder.join("cgroup.subtree_control"));
                let controllers = of_use(handed.split_whitespace());
                let may = can_write(&folder) && can_write(&folder.join("cgroup.procs"));
                let is_of_use = may && !controllers.is_empty();
                is_of_use.then(|| Parent { folder, home: home.clone(), is_v2, controllers })
            }));
        } else {
            let controllers = of_use(controllers.split(','));
            if can_write(&home) && !controllers.is_empty() {
                parents.push(Parent { folder: home.clone(), home, is_v2, controllers });
            }
        }
    }
    let holds = |controller: &str| parents.iter().any(|parent| parent.holds(controller));
    if holds("memory") || holds("pids") {
        return Place { parents, why_not: None };
    }
    let why = if mounts.is_empty() {
        "no cgroups are mounted here"
    } else {
        "no cgroup with memory or pids that this user may write to; `systemd-run --user --scope \
         -p Delegate=yes` gives one"
    };
    Place { parents: vec![], why_not: Some(why.to_owned()) }
}

fn of_use<'a>(controllers: impl Iterator<Item = &'a str>) -> Vec<String> {
    controllers
        .filter(|name| ["memory", "pids", "cpuacct"].contains(name))
        .map(str::to_owned)
        .collect()
}

/// A hierarchy that is mounted.
struct Mount<'a> {
    /// What of it is seen there.
    root: &'a str,
    point: &'a str,
    is_v2: bool,
    /// With the controllers, for version 1.
    options: &'a str,
}

impl<'a> Mount<'a> {
    /// `30 25 0:26 / /sys/fs/cgroup/memory rw shared:1 - cgroup cgroup rw,memory`.
    fn read(line: &'a str) -> Option<Mount<'a>> {
        let (before, after) = line.split_once(" - ")?;
        let mut after = after.split(' ');
        let kind = after.next().filter(|kind| kind.starts_with("cgroup"))?;
        let mut before = before.split(' ').skip(3);
        let (root, point) = (before.next()?, before.next()?);
        Some(Mount { root, point, is_v2: kind == "cgroup2", options: after.nth(1)? })
    }

    /// Where a cgroup of the hierarchy stands.
    fn folder(&self, is_v2: bool, controllers: &str, path: &str) -> Option<PathBuf> {
        let has = |controller| self.options.split(',').any(|option| option == controller);
        let is_it = self.is_v2 == is_v2 && (is_v2 || controllers.split(',').all(has));
        let below = path.strip_prefix(self.root.trim_end_matches('/')).filter(|_| is_it)?;
        Some(Path::new(self.point).join(below.trim_start_matches('/')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V1: &str = "\
        30 25 0:26 / /sys/fs/cgroup/memory rw shared:1 - cgroup cgroup rw,memory\n\
        31 25 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
        32 25 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
        33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    const V2: &str = "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

    fn check(own: &str, mounts: &str, writable: &[&str], control: &str, is: &[(&str, &str)]) {
        let can_write = |path: &Path| writable.iter().any(|start| path.starts_with(start));
        let place = find_in(own, mounts, &can_write, &|_| control.to_owned());
        let found: Vec<(String, String)> = place
            .parents()
            .map(|parent| (parent.folder.display().to_string(), parent.controllers.join(" ")))
            .collect();
        let is: Vec<(String, String)> =
            is.iter().map(|(folder, held)| (folder.to_string(), held.to_string())).collect();
        assert_eq!(found, is, "{own}");
        assert_eq!(place.why_not.is_some(), is.is_empty());
    }

    #[test]
    fn version_1_has_one_in_each_hierarchy_below_ours() {
        check(
            "9:name=systemd:/\n8:pids:/\n4:memory:/a/b\n2:cpu,cpuacct:/\n0::/\n",
            V1,
            &["/sys/fs/cgroup"],
            "hugetlb",
            &[
                ("/sys/fs/cgroup/pids/", "pids"),
                ("/sys/fs/cgroup/memory/a/b", "memory"),
                ("/sys/fs/cgroup/cpu,cpuacct/", "cpuacct"),
            ],
        );
        check("8:pids:/\n4:memory:/a\n", V1, &[], "", &[]);
    }

    #[test]
    fn version_2_is_below_the_root_and_beside_others() {
        let user = "/sys/fs/cgroup/user.slice/user@1.service";
        let own = "0::/user.slice/user@1.service/app.slice/a.scope\n";
        let beside = format!("{user}/app.slice");
        check(
            "0::/\n",
            V2,
            &["/sys/fs/cgroup"],
            "cpu memory pids",
            &[("/sys/fs/cgroup/", "memory pids")],
        );
        check(own, V2, &[user], "memory pids", &[(&format!("{beside}/a.scope"), "memory pids")]);
        check(own, V2, &[], "memory pids", &[]);
        check(own, V2, &[user], "cpu", &[]);
    }

    #[test]
    fn a_container_sees_a_part_of_the_hierarchy() {
        let mounts = "30 25 0:26 /docker/x /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n";
        check("3:pids:/docker/x/y\n", mounts, &["/sys"], "", &[("/sys/fs/cgroup/pids/y", "pids")]);
        check("3:pids:/elsewhere\n", mounts, &["/sys"], "", &[]);
    }
}
