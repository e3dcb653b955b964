//! The npm packages that package-lock.json names.

use std::fs;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::allowed::Allowed;
use crate::workspace;

/// Checks the licences of all packages that are not for development alone, and where they come from.
/// What is bundled besides is checked when notices are made of it.
pub(super) fn check() -> anyhow::Result<()> {
    let file = workspace::root().join("package-lock.json");
    let lock = fs::read_to_string(file).context("cannot read package-lock.json")?;
    let findings = findings(&serde_json::from_str(&lock)?, &Allowed::read()?)?;
    for finding in &findings {
        eprintln!("package-lock.json: {finding}");
    }
    if !findings.is_empty() {
        bail!("licences of npm packages: {} findings", findings.len());
    }
    Ok(())
}

fn findings(lock: &Value, allowed: &Allowed) -> anyhow::Result<Vec<String>> {
    let packages = lock["packages"].as_object().context("package-lock.json has no packages")?;
    let mut findings = vec![];
    for (path, package) in packages {
        // Ours are folders beside it, and links to them.
        let Some((_, name)) = path.rsplit_once("node_modules/") else { continue };
        if package["link"] == true {
            continue;
        }
        if package["integrity"].is_null() {
            findings.push(format!("{name} has no hash: take it from the registry"));
        }
        if package["dev"] != true {
            let judged = allowed.check(name, package["license"].as_str());
            findings.extend(judged.err().map(|error| error.to_string()));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(package: &Value) -> Vec<String> {
        let lock = json!({ "packages": {
            "": {},
            "web/ui": { "version": "1.0.0" },
            "node_modules/@us/ui": { "resolved": "web/ui", "link": true },
            "node_modules/a/node_modules/@x/b": package,
        } });
        findings(&lock, &Allowed::read().unwrap()).unwrap()
    }

    #[test]
    fn what_is_in_the_page_has_an_allowed_licence() {
        assert!(of(&json!({ "license": "MIT", "integrity": "sha512-" })).is_empty());
        let refused = of(&json!({ "license": "GPL-3.0-only", "integrity": "sha512-" }));
        assert!(refused[0].starts_with("@x/b has the licence GPL-3.0-only"), "{refused:?}");
        assert!(of(&json!({ "integrity": "sha512-" }))[0].contains("names no licence"));
    }

    #[test]
    fn tools_may_have_others() {
        let tool = json!({ "license": "GPL-3.0-only", "integrity": "sha512-", "dev": true });
        assert!(of(&tool).is_empty());
    }

    #[test]
    fn what_does_not_come_from_the_registry_is_found() {
        let git = json!({ "license": "MIT", "resolved": "git+ssh://somewhere/b.git#0123" });
        assert!(of(&git)[0].contains("has no hash"));
    }
}
