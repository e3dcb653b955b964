//! Other texts in the place of those of a profile.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::{FactKind, FactValue, NoteOf, Profile, StringId, StringsBuilder, TextUse};

impl Profile {
    /// Gives every use of a text another text; what is used nowhere is gone after that.
    pub fn rewrite_texts(&mut self, mut text: impl FnMut(TextUse, &str) -> Cow<'static, str>) {
        let old = std::mem::replace(&mut self.strings, StringsBuilder::default().finish());
        let mut new = StringsBuilder::default();
        let mut known: HashMap<(TextUse, StringId), StringId> = HashMap::new();
        let mut renamed = |used: TextUse, id: StringId| {
            *known.entry((used, id)).or_insert_with(|| match old.get(id) {
                "" => StringId::EMPTY,
                before => new.intern(&text(used, before)),
            })
        };
        let mut rename = |used: TextUse, id: &mut StringId| *id = renamed(used, *id);
        for module in &mut self.modules {
            rename(TextUse::Module, &mut module.name);
            rename(TextUse::BuildId, &mut module.build_id);
        }
        let functions = &mut self.functions;
        for id in functions.name.iter_mut().chain(&mut functions.system_name) {
            rename(TextUse::Function, id);
        }
        functions.file.iter_mut().for_each(|id| rename(TextUse::File, id));
        for raw in self.locations.instructions_mut() {
            let mut id = StringId(*raw);
            rename(TextUse::Instruction, &mut id);
            *raw = id.0;
        }
        for note in &mut self.notes {
            rename(TextUse::Note, &mut note.title);
            rename(TextUse::Note, &mut note.text);
            rename(TextUse::NoteLink, &mut note.link);
            if let NoteOf::Line(file, _) = &mut note.about {
                rename(TextUse::File, file);
            }
        }
        self.label_sets.rewrite(&mut rename);
        for process in &mut self.processes {
            rename(TextUse::Process, &mut process.name);
            rename(TextUse::ThreadId, &mut process.id);
        }
        for thread in &mut self.threads {
            rename(TextUse::Thread, &mut thread.name);
            rename(TextUse::ThreadId, &mut thread.id);
        }
        for fact in self.members.iter_mut().flat_map(|member| &mut member.facts) {
            rename(TextUse::FactName, &mut fact.name);
            match &mut fact.value {
                FactValue::Text(text) if fact.kind == FactKind::Note => {
                    rename(TextUse::MemberNote, text);
                }
                FactValue::Text(text) => rename(TextUse::FactText, text),
                FactValue::Number(_, unit) => rename(TextUse::Unit, unit),
            }
        }
        self.roles.iter_mut().for_each(|id| rename(TextUse::Role, id));
        let timeline = &mut self.timeline;
        for track in &mut timeline.tracks {
            rename(TextUse::Thread, &mut track.name);
        }
        timeline.marks.rewrite(&mut rename);
        for counter in &mut timeline.counters {
            rename(TextUse::Counter, &mut counter.name);
            rename(TextUse::Unit, &mut counter.unit);
        }
        timeline.flows.iter_mut().for_each(|flow| rename(TextUse::Flow, &mut flow.name));
        self.strings = new.finish();
    }
}
