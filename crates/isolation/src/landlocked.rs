//! Landlock: writing only where it was allowed, whatever is mounted.

use std::io;
use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, Scope,
};

use crate::Error;

/// Devices that do nothing to the machine.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/urandom"];

/// The version of Landlock that this kernel and we both know; 0 where there is none.
pub(crate) fn version() -> u32 {
    // Only who was restricted is told. The thread ends, and its restriction with it.
    let restricted = std::thread::spawn(|| {
        let rules = Ruleset::default().handle_access(AccessFs::from_all(ABI::V1)).ok()?;
        rules.create().ok()?.restrict_self().ok()
    });
    let told = restricted.join().ok().flatten();
    told.map_or(0, |told| ABI::from(told.landlock) as u32)
}

/// From which version on abstract Unix sockets and processes outside are out of reach.
pub(crate) const SCOPES: u32 = 6;

/// Restricts the calling thread and what it starts: all may be read, written only what stands in
/// `writable`.
pub(crate) fn restrict(version: u32, writable: &[&Path]) -> Result<(), Error> {
    if version == 0 {
        return Ok(());
    }
    // One that the kernel does not have is an error below.
    let abi = ABI::from(i32::try_from(version).unwrap_or(0));
    restrict_to(abi, writable).map_err(|error| Error::Step { step: "Landlock", error })
}

fn restrict_to(abi: ABI, writable: &[&Path]) -> io::Result<()> {
    let all = AccessFs::from_all(abi);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(all)
        .map_err(io::Error::other)?;
    if abi as u32 >= SCOPES {
        rules = rules.scope(Scope::from_all(abi)).map_err(io::Error::other)?;
    }
    let mut rules = rules.create().map_err(io::Error::other)?;
    let devices = DEVICES.map(Path::new).map(|path| (path, AccessFs::from_file(abi)));
    let places = writable.iter().map(|&path| (path, all));
    let root = (Path::new("/"), AccessFs::from_read(abi));
    for (path, access) in std::iter::once(root).chain(places).chain(devices) {
        let place = PathFd::new(path).map_err(io::Error::other)?;
        rules = rules.add_rule(PathBeneath::new(place, access)).map_err(io::Error::other)?;
    }
    rules.restrict_self().map_err(io::Error::other).map(|_| ())
}
