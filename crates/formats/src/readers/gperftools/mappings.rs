//! The lines that say which part of which file is mapped where.

use crate::numbers::hexadecimal;
use profile::{ModuleId, ProfileBuilder};

/// Mapped code, in the order of the file.
#[derive(Default)]
pub(super) struct Mappings {
    list: Vec<Mapping>,
    /// Names that later lines use behind a dollar sign.
    variables: Vec<(String, String)>,
}

struct Mapping {
    start: u64,
    limit: u64,
    offset: u64,
    file: String,
    build_id: String,
}

impl Mappings {
    pub(super) fn heap_bytes(&self) -> usize {
        self.list.len() * size_of::<Mapping>()
    }

    /// Reads a line of `/proc/self/maps`, or of its short forms; others are not mappings.
    pub(super) fn line(&mut self, text: &str) {
        let mut line = text.to_owned();
        for (name, value) in &self.variables {
            if line.contains('$') {
                line = line.replace(name, value);
            }
        }
        match mapping(&line) {
            Some(Some(mapping)) => self.list.push(mapping),
            Some(None) => {}
            None => {
                const MOST_VARIABLES: usize = 16;
                if let Some((name, value)) = line.split_once('=')
                    && self.variables.len() < MOST_VARIABLES
                {
                    self.variables.push((format!("${}", name.trim()), value.trim().to_owned()));
                }
            }
        }
    }

    /// The modules of the mappings.
    pub(super) fn modules(&mut self, builder: &mut ProfileBuilder) -> Vec<Option<ModuleId>> {
        // The main binary of old systems is told from where it must start.
        const MAIN: u64 = 0x40_0000;
        if let Some(first) = self.list.first_mut()
            && first.start.wrapping_sub(first.offset) == MAIN
        {
            (first.start, first.offset) = (MAIN, 0);
        }
        let mut modules = vec![];
        for mapping in &self.list {
            let id = builder.module(&mapping.file);
            if let Some(id) = id {
                let build_id = builder.strings.intern(&mapping.build_id);
                let module = &mut builder.modules[id.index()];
                if module.memory_limit == 0 {
                    module.memory_start = mapping.start;
                    module.file_offset = mapping.offset;
                    module.build_id = build_id;
                }
                module.memory_limit = module.memory_limit.max(mapping.limit);
            }
            modules.push(id);
        }
        modules
    }

    /// The mapping of an address.
    pub(super) fn find(&self, address: u64) -> Option<usize> {
        let holds = |mapping: &Mapping| (mapping.start..mapping.limit).contains(&address);
        // The first part of a file may be missing.
        let precedes = |mapping: &Mapping| {
            let first = mapping.start.saturating_sub(mapping.offset);
            mapping.offset != 0 && (first..mapping.start).contains(&address)
        };
        (address != 0).then(|| {
            self.list.iter().position(holds).or_else(|| self.list.iter().position(precedes))
        })?
    }
}

/// `start-end perms offset device inode file` or `start-end: file (@offset) build-id`; none inside
/// for what is not code.
fn mapping(line: &str) -> Option<Option<Mapping>> {
    // Some logs put their own prefix before each line.
    let line = match line.split_once("] ") {
        Some((log, rest))
            if log.rsplit_once(':').is_some_and(|(file, line)| {
                !file.contains(['[', ']'])
                    && !line.is_empty()
                    && line.bytes().all(|b| b.is_ascii_digit())
            }) =>
        {
            rest
        }
        _ => line,
    };
    let line = line.trim_start();
    let (start, rest) = leading(line)?;
    let rest = rest.strip_prefix(['-', ' ', '\t'])?.trim_start();
    let (limit, rest) = leading(rest)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let mut words = rest.split_ascii_whitespace().peekable();
    let is_permissions = |word: &&str| word.bytes().all(|byte| b"-rwxps".contains(&byte));
    let permissions = words.next_if(is_permissions);
    if permissions.is_some_and(|permissions| !permissions.contains('x')) {
        return Some(None);
    }
    let rest: Vec<_> = words.collect();
    let is_device = |word: &str| {
        word.split_once(':')
            .is_some_and(|(a, b)| hexadecimal::is_hexadecimal(a) && hexadecimal::is_hexadecimal(b))
    };
    let (offset, file, build_id) = match rest[..] {
        [offset, device, _inode, ref file @ ..] if is_device(device) => {
            (offset, file.first().copied().unwrap_or_default(), "")
        }
        [device, _inode, ref file @ ..] if is_device(device) => {
            ("", file.first().copied().unwrap_or_default(), "")
        }
        [file, ref rest @ ..] => match rest {
            [at, rest @ ..] if at.starts_with("(@") => {
                let offset = at.trim_start_matches("(@").trim_end_matches(')');
                (offset, file, rest.first().copied().unwrap_or_default())
            }
            _ => ("", file, rest.first().copied().unwrap_or_default()),
        },
        [] => ("", "", ""),
    };
    let offset = hexadecimal::hexadecimal(offset).unwrap_or(0);
    let (file, build_id) = (file.to_owned(), build_id.to_owned());
    Some(Some(Mapping { start, limit, offset, file, build_id }))
}

fn leading(text: &str) -> Option<(u64, &str)> {
    hexadecimal::leading(text.strip_prefix("0x").unwrap_or(text))
}
