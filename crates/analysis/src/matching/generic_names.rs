//! Names without the arguments of templates and generics.

/// Takes out what stands in angle brackets after a name (C++, Rust, Java), in square brackets after
/// a name (Go), and then also the parameters and the result (C++), whose types the arguments are:
///
/// ```text
/// void sort<int*>(int*, int*)              sort
/// Map<int, char>::find(int const&) const   Map::find const
/// <Vec<T> as Extend<T>>::extend::<I>       <Vec as Extend>::extend
/// main.(*List[go.shape.int]).Push          main.(*List).Push
/// draw(std::vector<int>)                   draw(std::vector)
/// ```
/// Brackets that are names themselves stay: `Foo.<init>`, `f.<locals>.<lambda>`.
pub(super) fn without_arguments(name: &str) -> String {
    let out = String::with_capacity(name.len());
    Scanner { text: name, at: 0, out, has_arguments: false, is_broken: false }.scan()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// Whether arguments of the function, or of what it is in, were taken out.
    has_arguments: bool,
    /// Whether a bracket is not closed: what follows stays as it is.
    is_broken: bool,
}

/// Operators with brackets in them, longer ones first.
const OPERATORS: [&str; 13] =
    ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">"];

/// What begins a bracket after `::` that is a name and no list of arguments.
const NAMES: [&str; 4] = ["<lambda", "<impl ", "<anonymous", "<unnamed"];

impl<'a> Scanner<'a> {
    fn scan(mut self) -> String {
        // Brackets that stay and are open.
        let mut depth = 0u32;
        // Where the function's own name starts, behind its result.
        let mut start = 0;
        let mut has_parameters = false;
        while let Some(next) = self.rest().chars().next() {
            let rest = self.rest();
            if !self.follows_name() && rest.starts_with("operator") {
                self.operator();
                continue;
            }
            let arguments = match next {
                '<' => self.is_arguments(),
                '[' => self.follows_name() && self.is_types(),
                '(' => depth == 0 && self.has_arguments && self.is_parameters(),
                _ => false,
            };
            let length = if arguments && !self.is_broken { closing(rest) } else { None };
            // One that is not closed would be looked for again and again.
            self.is_broken |= arguments && length.is_none();
            if let Some(length) = length {
                if next == '(' {
                    has_parameters = true;
                } else {
                    self.has_arguments |= depth == 0;
                    if self.out.ends_with("::") {
                        self.out.truncate(self.out.len() - 2);
                    }
                }
                self.at += length;
                continue;
            }
            match next {
                '-' if rest.starts_with("->") => {
                    self.copy(2);
                    continue;
                }
                '<' | '(' | '[' | '{' => depth += 1,
                '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
                ' ' if depth == 0 && !has_parameters => start = self.out.len() + 1,
                _ => {}
            }
            self.copy(next.len_utf8());
        }
        if has_parameters { self.out.split_off(start) } else { self.out }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// Whether a name, or its arguments, stand before.
    fn follows_name(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '}' | '>' | ']'))
    }

    /// Whether an angle bracket begins arguments: `f<`, and Rust's `f::<`.
    fn is_arguments(&self) -> bool {
        let is_name = NAMES.iter().any(|name| self.rest().starts_with(name));
        self.follows_name() || self.text[..self.at].ends_with("::") && self.at > 2 && !is_name
    }

    /// Whether a parenthesis begins parameters: it is not a part of a name, and no receiver of Go.
    fn is_parameters(&self) -> bool {
        !self.rest().starts_with("(anonymous") && !self.rest().starts_with("(*")
    }

    /// Whether a square bracket holds types: not the length of an array, no ABI tag.
    fn is_types(&self) -> bool {
        let inner = &self.rest()[1..];
        let is_length = inner.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(']');
        !is_length && !inner.starts_with("abi:")
    }

    /// Copies an operator's name, whose brackets are none.
    fn operator(&mut self) {
        self.copy("operator".len());
        let symbol = OPERATORS.iter().find(|symbol| self.rest().starts_with(**symbol));
        match symbol {
            Some(symbol) => {
                self.copy(symbol.len());
                let arguments = self.rest().trim_start();
                if arguments.starts_with('<')
                    && let Some(length) = closing(arguments)
                {
                    self.at += self.rest().len() - arguments.len() + length;
                    self.has_arguments = true;
                }
            }
            // A conversion: its type is its name.
            None if self.rest().starts_with(' ') => {
                let length = self.rest().find(['(', '<']).unwrap_or(self.rest().len());
                self.copy(length);
            }
            None => {}
        }
    }
}

/// The length of a bracket with all in it; none if it is not closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            '>' | ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + c.len_utf8());
                }
            }
            _ => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::without_arguments;

    #[test]
    fn arguments_go_and_names_stay() {
        for (name, without) in [
            // C++
            ("foo<int>", "foo"),
            ("void sort<int*>(int*, int*)", "sort"),
            ("Map<int, char>::find(int const&) const", "Map::find const"),
            ("std::vector<int> make<std::vector<int> >(unsigned long)", "make"),
            ("draw(std::vector<int, std::allocator<int> > const&)", "draw(std::vector const&)"),
            ("draw(int)", "draw(int)"),
            ("Less<int>::operator()(int, int) const", "Less::operator() const"),
            ("Ord::operator<(Ord const&)", "Ord::operator<(Ord const&)"),
            ("std::ostream& operator<< <char>(std::ostream&, char)", "operator<<"),
            (
                "auto f(int)::{lambda(auto)#1}::operator()<int>(int) const",
                "f(int)::{lambda(auto)#1}::operator() const",
            ),
            ("Box<int>::operator unsigned int() const", "Box::operator unsigned int const"),
            ("(anonymous namespace)::fill<long>(long)", "(anonymous namespace)::fill"),
            ("name[abi:cxx11](int)", "name[abi:cxx11](int)"),
            (
                "run<3>(char (&) [3])::{lambda(int)#1}::operator()",
                "run::{lambda(int)#1}::operator()",
            ),
            // Rust
            (
                "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend::<I>",
                "<alloc::vec::Vec as core::iter::Extend>::extend",
            ),
            ("core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "core::ptr::drop_in_place"),
            ("app::each<fn(u8) -> u8>::{{closure}}", "app::each::{{closure}}"),
            ("alloc::slice::<impl [T]>::into_vec", "alloc::slice::<impl [T]>::into_vec"),
            // Go
            ("main.Map[...]", "main.Map"),
            ("main.(*List[go.shape.int]).Push", "main.(*List).Push"),
            ("main.Pair[int,map[string]bool].First", "main.Pair.First"),
            // Java, Python, JavaScript
            ("java.util.ArrayList<String>.add", "java.util.ArrayList.add"),
            ("java.util.ArrayList.<init>", "java.util.ArrayList.<init>"),
            ("App.sum(int[])", "App.sum(int[])"),
            ("run.<locals>.<lambda>", "run.<locals>.<lambda>"),
            ("<module>", "<module>"),
            // Damaged
            ("broken<int", "broken<int"),
            ("a >> b", "a >> b"),
        ] {
            assert_eq!(without_arguments(name), without, "{name}");
        }
    }
}
