//! The licences that `deny.toml` allows, for packages that cargo-deny does not know.

use std::fs;

use anyhow::{Context as _, anyhow, bail};
use spdx::{Expression, LicenseReq, Licensee};
use toml::Table;

use crate::workspace;

/// What is allowed for all packages, and for single ones besides.
pub(crate) struct Allowed {
    all: Vec<Licensee>,
    exceptions: Vec<(String, Vec<Licensee>)>,
}

impl Allowed {
    /// What `deny.toml` says.
    pub(crate) fn read() -> anyhow::Result<Allowed> {
        let file = workspace::root().join("deny.toml");
        let text = fs::read_to_string(&file).context("cannot read deny.toml")?;
        Allowed::parse(&text).context("deny.toml")
    }

    fn parse(text: &str) -> anyhow::Result<Allowed> {
        let table: Table = text.parse()?;
        let licenses = table.get("licenses").context("it has no [licenses]")?;
        let exceptions = licenses.get("exceptions").and_then(|list| list.as_array());
        let exceptions = exceptions.into_iter().flatten().map(|exception| {
            let name = exception.get("crate").and_then(|name| name.as_str());
            Ok((name.context("an exception names no crate")?.to_owned(), licensees(exception)?))
        });
        Ok(Allowed {
            all: licensees(licenses)?,
            exceptions: exceptions.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Fails unless a package may be used under what its author writes.
    pub(crate) fn check(&self, package: &str, license: Option<&str>) -> anyhow::Result<()> {
        let Some(license) = license else {
            bail!(
                "{package} names no licence: use another package, or find out under which terms it \
                 may be used and add an exception to deny.toml"
            );
        };
        let expression = Expression::parse(license).map_err(|error| {
            anyhow!(
                "{package} has the licence {license:?}, which is not an SPDX expression ({}): use \
                     another package",
                error.reason
            )
        })?;
        let excepted = self.exceptions.iter().filter(|(name, _)| name == package);
        let excepted: Vec<_> = excepted.flat_map(|(_, licenses)| licenses).collect();
        let is_allowed = |wanted: &LicenseReq| {
            self.all.iter().chain(excepted.iter().copied()).any(|one| one.satisfies(wanted))
        };
        if !expression.evaluate(is_allowed) {
            bail!(
                "{package} has the licence {license}, which deny.toml does not allow: use another \
                 package, or allow it there with the reason"
            );
        }
        Ok(())
    }
}

/// The list `allow` of a table.
fn licensees(table: &toml::Value) -> anyhow::Result<Vec<Licensee>> {
    let list = table.get("allow").and_then(|list| list.as_array()).context("no list `allow`")?;
    let licensee = |license: &toml::Value| {
        let license = license.as_str().context("a licence is not text")?;
        Licensee::parse(license).map_err(|error| anyhow!("{license}: {}", error.reason))
    };
    list.iter().map(licensee).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY: &str = "[licenses]\nallow = ['MIT', 'Apache-2.0']\n\
        [[licenses.exceptions]]\ncrate = 'python'\nallow = ['MPL-2.0']";

    fn message(package: &str, license: Option<&str>) -> String {
        let allowed = Allowed::parse(DENY).unwrap();
        allowed.check(package, license).err().map_or(String::new(), |error| error.to_string())
    }

    #[test]
    fn expressions_are_read() {
        for license in ["MIT", "(GPL-3.0-only OR MIT)", "MIT AND Apache-2.0"] {
            assert_eq!(message("a", Some(license)), "");
        }
        assert!(message("a", Some("MIT AND GPL-3.0-only")).contains("does not allow"));
    }

    #[test]
    fn an_exception_is_for_one_package() {
        assert_eq!(message("python", Some("MPL-2.0")), "");
        assert!(message("a", Some("MPL-2.0")).starts_with("a has the licence MPL-2.0"));
    }

    #[test]
    fn unknown_licences_are_refused() {
        assert!(message("a", None).contains("names no licence"));
        assert!(message("a", Some("SEE LICENSE IN TERMS")).contains("not an SPDX expression"));
    }

    #[test]
    fn ours_can_be_read() {
        assert!(Allowed::read().unwrap().check("preact", Some("MIT")).is_ok());
    }
}
