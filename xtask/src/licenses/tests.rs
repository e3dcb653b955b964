//! cargo-deny with our rules on crates that there are not.

use std::fs;

use serde_json::{Value, json};

use super::advisories;
use super::check::{CHECKS, deny};
use crate::workspace;

/// What cargo-deny says of a workspace with one dependency; none if it accepts it.
fn refusal(name: &str, dependency: &Value) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("licenses-{name}-{}", std::process::id()));
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = "[package]\nname = \"root\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    let text = |field: &str| dependency[field].as_str().unwrap();
    let lock = format!(
        "version = 4\n\n[[package]]\nname = \"root\"\nversion = \"0.1.0\"\ndependencies = [\"{0}\"]\n\n\
         [[package]]\nname = \"{0}\"\nversion = \"{1}\"\nsource = \"{2}\"\n",
        text("name"),
        text("version"),
        text("source")
    );
    fs::write(folder.join("Cargo.lock"), lock).unwrap();
    let mut root =
        package(&json!({ "name": "root", "version": "0.1.0", "license": "MIT" }), &folder);
    root["dependencies"] = json!([{ "name": dependency["name"], "source": dependency["source"],
        "req": "*", "kind": null, "rename": null, "optional": false, "uses_default_features": true,
        "features": [], "target": null, "registry": null }]);
    let package = package(dependency, &folder);
    let edge = json!({ "name": dependency["name"], "pkg": package["id"],
        "dep_kinds": [{ "kind": null, "target": null }] });
    let metadata = json!({
        "version": 1, "metadata": null, "workspace_root": folder, "target_directory": folder,
        "workspace_members": [root["id"]], "workspace_default_members": [root["id"]],
        "resolve": { "root": root["id"], "nodes": [
            { "id": root["id"], "dependencies": [package["id"]], "deps": [edge], "features": [] },
            { "id": package["id"], "dependencies": [], "deps": [], "features": [] },
        ] },
        "packages": [root, package],
    });
    fs::write(folder.join("metadata.json"), metadata.to_string()).unwrap();
    let mut deny = deny().unwrap();
    deny.arg("--metadata-path").arg(folder.join("metadata.json"));
    deny.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    deny.arg("--config").arg(workspace::root().join("deny.toml"));
    let output = deny.arg("check").args(CHECKS).output().unwrap();
    fs::remove_dir_all(folder).unwrap();
    let summary = String::from_utf8_lossy(&output.stdout);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(summary.contains("sources "), "it did not run: {printed}");
    (!output.status.success()).then_some(printed)
}

/// A package as cargo describes it.
fn package(of: &Value, folder: &std::path::Path) -> Value {
    let (name, version) = (of["name"].as_str().unwrap(), of["version"].as_str().unwrap());
    let source = of["source"].as_str().unwrap_or("path+file:///root");
    json!({
        "name": name, "version": version, "id": format!("{source}#{name}@{version}"),
        "license": of["license"], "license_file": null, "description": null,
        "source": of["source"], "dependencies": [], "features": {}, "edition": "2024",
        "manifest_path": folder.join("Cargo.toml"), "metadata": null, "publish": null,
        "authors": [], "categories": [], "keywords": [], "readme": null, "repository": null,
        "homepage": null, "documentation": null, "links": null, "default_run": null,
        "rust_version": null,
        "targets": [{ "kind": ["lib"], "crate_types": ["lib"], "name": name, "edition": "2024",
            "src_path": folder.join("src/lib.rs"), "doc": true, "doctest": true, "test": true }],
    })
}

/// Where Cargo.lock has its crates from.
fn registry() -> String {
    let lock = fs::read_to_string(workspace::root().join("Cargo.lock")).unwrap();
    let line = lock.lines().find_map(|line| line.strip_prefix("source = \"")).unwrap();
    line.trim_end_matches('"').to_owned()
}

fn of_registry(name: &str, version: &str, license: Option<&str>) -> Value {
    json!({ "name": name, "version": version, "license": license, "source": registry() })
}

#[test]
fn what_deny_toml_does_not_allow_is_refused() {
    advisories::lay_out().unwrap();
    assert_eq!(refusal("accepted", &of_registry("dep", "1.0.0", Some("MIT"))), None);
    let refused = refusal("gpl", &of_registry("dep", "1.0.0", Some("GPL-3.0-only"))).unwrap();
    assert!(refused.contains("rejected") && refused.contains("GPL-3.0-only"), "{refused}");
    let unknown = refusal("unknown", &of_registry("dep", "1.0.0", None)).unwrap();
    assert!(unknown.contains("dep = 1.0.0 is unlicensed"), "{unknown}");
    let git = json!({ "name": "dep", "version": "1.0.0", "license": "MIT",
        "source": "git+https://git.invalid/dep#0123456789012345678901234567890123456789" });
    assert!(refusal("git", &git).unwrap().contains("'git' source not explicitly allowed"));
    // Affected by RUSTSEC-2020-0071, and not any more.
    let affected = refusal("affected", &of_registry("time", "0.2.10", Some("MIT"))).unwrap();
    assert!(affected.contains("RUSTSEC-2020-0071"), "{affected}");
    assert_eq!(refusal("patched", &of_registry("time", "0.3.47", Some("MIT"))), None);
}
