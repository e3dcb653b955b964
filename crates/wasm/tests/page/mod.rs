//! A page whose files are in memory or on disk.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use protocol::{Frame, Header};
use serde_json::{Value, json};
use wasm::{Engine, Handed, HandedFile, Page};

/// What a page has got, and the files that it gives.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) frames: Mutex<Vec<Vec<u8>>>,
    pub(crate) files: Mutex<Vec<PathBuf>>,
}

#[derive(Clone, Default)]
pub(crate) struct TestPage(pub(crate) Arc<Shown>);

impl Page for TestPage {
    fn send(&self, frame: &[u8]) {
        self.0.frames.lock().unwrap().push(frame.to_owned());
    }

    fn read(&self, file: u32, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let mut file = File::open(&self.0.files.lock().unwrap()[file as usize])?;
        file.seek(SeekFrom::Start(offset))?;
        file.read(out)
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

/// An engine and its page.
pub(crate) struct Opened {
    pub(crate) engine: Engine<TestPage>,
    pub(crate) page: TestPage,
}

/// An engine with nothing open.
pub(crate) fn engine() -> Opened {
    let page = TestPage::default();
    Opened { engine: Engine::new(page.clone(), "a page".to_owned()), page }
}

impl Opened {
    /// Hands over files for an upload.
    pub(crate) fn hand(
        &self,
        upload: u32,
        files: &[(Option<String>, PathBuf)],
        refused: Option<&str>,
    ) {
        let mut known = self.page.0.files.lock().unwrap();
        let files = files.iter().map(|(path, file)| {
            known.push(file.clone());
            let size = file.metadata().unwrap().len();
            HandedFile { path: path.clone(), file: known.len() as u32 - 1, size }
        });
        let files = files.collect();
        self.engine.hand(Handed { upload, files, refused: refused.map(str::to_owned) });
    }

    /// The answer to a frame, without what was told before.
    pub(crate) fn ask(&self, frame: &[u8]) -> Vec<u8> {
        self.page.0.frames.lock().unwrap().clear();
        self.engine.take(frame);
        self.page.0.frames.lock().unwrap().pop().unwrap()
    }
}

/// The frame of a request.
pub(crate) fn request(id: u32, method: &str, params: Value) -> Vec<u8> {
    let request = json!({ "method": method, "params": params });
    let request = serde_json::from_value(request).unwrap();
    protocol::encode(&Frame { header: Header::Request { id, request }, columns: vec![] })
}

/// An upload of what was handed over.
pub(crate) fn upload(upload: u32, name: &str) -> Value {
    json!({ "upload": upload, "name": name, "offset": 0.0, "last": true, "format": null })
}

/// The files below a folder, with their paths from there.
pub(crate) fn files_below(folder: &Path) -> Vec<(Option<String>, PathBuf)> {
    let mut files = vec![];
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let below = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            files.push((Some(below), path));
        }
    }
    files.sort();
    files
}
