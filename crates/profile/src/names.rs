//! What a frame is called.

use std::borrow::Cow;

use crate::{FrameId, FunctionId, Profile};

impl Profile {
    /// The name of a frame for people: the function's name; else the linker's; for an unsymbolised
    /// place `module+0xaddress`. Never empty.
    pub fn frame_name(&self, frame: FrameId) -> Cow<'_, str> {
        let named = self.frames.function(frame).and_then(|function| self.function_name(function));
        match named {
            Some(name) => Cow::Borrowed(name),
            None => self.place_name(frame),
        }
    }

    /// The name of a function, if it has one.
    pub fn function_name(&self, function: FunctionId) -> Option<&str> {
        let row = function.index();
        [self.functions.name[row], self.functions.system_name[row]]
            .into_iter()
            .map(|id| self.text(id))
            .find(|name| !name.is_empty())
    }

    /// The source file of a frame; may be empty.
    pub fn frame_file(&self, frame: FrameId) -> &str {
        match self.frames.function(frame) {
            Some(function) => self.text(self.functions.file[function.index()]),
            None => "",
        }
    }

    /// The line of a frame; where that is unknown the line where its function starts; else 0.
    pub fn place_line(&self, frame: FrameId) -> u32 {
        match (self.frames.line[frame.index()], self.frames.function(frame)) {
            (0, Some(function)) => self.functions.start_line[function.index()],
            (line, _) => line,
        }
    }

    /// The module of a frame; may be empty.
    pub fn frame_module(&self, frame: FrameId) -> &str {
        match self.locations.module(self.frames.location[frame.index()]) {
            Some(module) => self.text(self.modules[module.index()].name),
            None => "",
        }
    }

    /// Whether a frame was inlined into the one before it at the same address.
    pub fn is_inlined(&self, frame: FrameId) -> bool {
        self.locations.frames(self.frames.location[frame.index()]).start != frame.0
    }

    fn place_name(&self, frame: FrameId) -> Cow<'_, str> {
        let address = self.locations.address[self.frames.location[frame.index()].index()];
        let (module, file) = (base_name(self.frame_module(frame)), self.frame_file(frame));
        match (module, address, file) {
            ("", 0, "") => Cow::Borrowed("<unknown>"),
            ("", 0, file) => Cow::Owned(format!("[{}]", base_name(file))),
            ("", address, _) => Cow::Owned(format!("{address:#x}")),
            (module, 0, _) => Cow::Owned(format!("[{module}]")),
            (module, address, _) => Cow::Owned(format!("{module}+{address:#x}")),
        }
    }
}

/// The part of a path after its last slash or backslash.
pub fn base_name(path: &str) -> &str {
    let end = path.trim_end_matches(['/', '\\']);
    end.rsplit(['/', '\\']).next().unwrap_or(end)
}

/// A value that counts 10^-decimals, as a decimal number without trailing zeros.
pub fn decimal_text(value: i64, decimals: u8) -> String {
    if decimals == 0 {
        return value.to_string();
    }
    let digits = format!("{:0width$}", value.unsigned_abs(), width = usize::from(decimals) + 1);
    let (whole, fraction) = digits.split_at(digits.len() - usize::from(decimals));
    let sign = if value < 0 { "-" } else { "" };
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}
