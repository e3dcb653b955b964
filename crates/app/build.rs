//! The user interface is built by npm before the binary; without it the binary still builds and
//! says what is missing when a page is asked for. So it is with the page that needs no server and with Python.

fn main() -> std::io::Result<()> {
    for folder in ["dist", "dist-archives", "dist-parts", "dist-python"] {
        let built = format!("{}/../../web/ui/{folder}", env!("CARGO_MANIFEST_DIR"));
        println!("cargo::rerun-if-changed={built}");
        std::fs::create_dir_all(built)?;
    }
    Ok(())
}
