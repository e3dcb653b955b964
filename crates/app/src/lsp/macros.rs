//! Lines of a text that stand in the definition of a macro: code that is made of them belongs to whoever
//! uses the macro, and profiles have it at these lines.

/// How the definitions of macros begin.
const DEFINITIONS: &[&str] =
    &["macro_rules!", "macro ", "pub macro ", "pub(crate) macro ", "defmacro ", "(defmacro "];

/// The lines of definitions of macros.
#[derive(Debug)]
pub(super) struct Macros {
    /// First and last line of each, from 1, from the top.
    ranges: Vec<(u32, u32)>,
}

impl Macros {
    /// Looks for definitions in a text.
    pub(super) fn new(text: &str) -> Macros {
        let mut ranges = vec![];
        let mut lines = (1..).zip(text.lines()).peekable();
        while let Some((first, line)) = lines.next() {
            let start = line.trim_start();
            let mut last = first;
            if start.strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("define")) {
                // It goes on behind a backslash.
                let mut goes_on = line.trim_end().ends_with('\\');
                while let Some((number, line)) = lines.next_if(|_| goes_on) {
                    goes_on = line.trim_end().ends_with('\\');
                    last = number;
                }
            } else if DEFINITIONS.iter().any(|word| start.starts_with(word)) {
                // What is further in than its first line is its own, and the line that closes it.
                let indent = line.len() - start.len();
                let is_inside = |line: &str| {
                    let inner = line.trim_start();
                    inner.is_empty() || line.len() - inner.len() > indent
                };
                while let Some((number, _)) = lines.next_if(|(_, line)| is_inside(line)) {
                    last = number;
                }
            } else {
                continue;
            }
            ranges.push((first, last));
        }
        Macros { ranges }
    }

    /// Whether a line from 1 is one of a definition.
    pub(super) fn contain(&self, line: u32) -> bool {
        let before = self.ranges.partition_point(|&(first, _)| first <= line);
        before.checked_sub(1).is_some_and(|place| line <= self.ranges[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text that are in macros.
    fn inside(text: &str) -> Vec<u32> {
        let macros = Macros::new(text);
        (0..=text.lines().count() as u32 + 1).filter(|&line| macros.contain(line)).collect()
    }

    #[test]
    fn definitions_reach_as_far_as_they_are_indented() {
        let text = "macro_rules! twice {\n    ($x:expr) => {\n        $x + $x\n    };\n}\n\nfn f() {\n    g()\n}\n";
        assert_eq!(inside(text), [1, 2, 3, 4]);
        let within = "mod m {\n    macro_rules! a {\n        () => {};\n    }\n    fn f() {}\n}\n";
        assert_eq!(inside(within), [2, 3]);
        assert_eq!(inside("defmacro unless(a) do\n  quote do\n  end\nend\nx\n"), [1, 2, 3]);
    }

    #[test]
    fn definitions_of_c_reach_as_far_as_their_backslashes() {
        let text =
            "#define ADD(a) \\\n  do { \\\n  } while (0)\nint f() {\n}\n# define ONE 1\n  x\n";
        assert_eq!(inside(text), [1, 2, 3, 6]);
        assert_eq!(inside("#define END \\"), [1]);
        assert_eq!(inside("#undef A\nmacros are\n"), [0; 0]);
    }
}
