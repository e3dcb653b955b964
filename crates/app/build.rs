//! The user interface is built by npm before the binary; without it the binary still builds and
//! says what is missing when a page is asked for.

fn main() -> std::io::Result<()> {
    let dist = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ui/dist");
    println!("cargo::rerun-if-changed={dist}");
    std::fs::create_dir_all(dist)
}
