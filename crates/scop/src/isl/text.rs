//! Tokens, tuples and pieces.

use super::formula;
use super::sets::{Piece, Relation, Tuple, Wrong};
use super::sum::Sum;

/// More dimensions than loops are nested.
const MOST_DIMENSIONS: usize = 16;

/// More than sizes and bounds of loops have names.
const MOST_PARAMETERS: usize = 256;

/// More pieces are not loops that anybody wrote.
const MOST_PIECES: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Name(&'t str),
    Number(i128),
    Sign(&'static str),
    End,
}

/// Longer signs first.
const SIGNS: [&str; 21] = [
    "->", "<=", ">=", "!=", ":=", "[", "]", "{", "}", "(", ")", "<", ">", "=", "+", "-", "*", "/",
    ",", ";", ":",
];

pub(super) struct Reader<'t> {
    text: &'t str,
    /// Where each token begins.
    tokens: Vec<(usize, Token<'t>)>,
    pub(super) at: usize,
    pub(super) parameters: Vec<String>,
}

/// Reads a set or a map.
pub(crate) fn relation(text: &str) -> Result<Relation, Wrong> {
    let mut reader = Reader { text, tokens: tokens(text)?, at: 0, parameters: vec![] };
    if reader.peek() == Token::Sign("[") {
        let tuple = reader.tuple(&[], MOST_PARAMETERS)?;
        if tuple.free.len() != tuple.entries.len() {
            return Err(reader.wrong("names of parameters"));
        }
        reader.parameters = tuple.free;
        reader.expect("->")?;
    }
    reader.expect("{")?;
    let mut pieces = vec![];
    while !reader.take("}") {
        reader.piece(&mut pieces)?;
        if pieces.len() > MOST_PIECES {
            return Err(Wrong::Unexpressed(format!("more than {MOST_PIECES} pieces")));
        }
        if !reader.take(";") {
            reader.expect("}")?;
            break;
        }
    }
    if reader.peek() != Token::End {
        return Err(reader.wrong("the end"));
    }
    Ok(Relation { parameters: reader.parameters, pieces })
}

fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, Wrong> {
    let mut tokens = vec![];
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_part = |letter: char| letter.is_alphanumeric() || "_$.'".contains(letter);
        let until =
            |is: &dyn Fn(char) -> bool| rest.find(|letter| !is(letter)).unwrap_or(rest.len());
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (length, token) = if first.is_ascii_digit() {
            let length = until(&|letter| letter.is_ascii_digit());
            let number = rest[..length].parse();
            let large = |_| Wrong::Unexpressed(format!("the number {}", &rest[..length]));
            (length, Token::Number(number.map_err(large)?))
        } else if is_part(first) {
            let length = until(&is_part);
            (length, Token::Name(&rest[..length]))
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (sign.len(), Token::Sign(sign))
        } else {
            return Err(Wrong::Text(format!(
                "{first:?} at byte {at} is not a part of a set or map"
            )));
        };
        tokens.push((at, token));
        at += length;
    }
    tokens.push((text.len(), Token::End));
    Ok(tokens)
}

impl<'t> Reader<'t> {
    pub(super) fn peek(&self) -> Token<'t> {
        self.ahead(0)
    }

    /// What comes so many tokens later.
    pub(super) fn ahead(&self, by: usize) -> Token<'t> {
        self.tokens.get(self.at + by).map_or(Token::End, |(_, token)| *token)
    }

    pub(super) fn take(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Token::Sign(own) if own == sign);
        self.at += usize::from(is);
        is
    }

    pub(super) fn word(&mut self, word: &str) -> bool {
        let is = self.peek() == Token::Name(word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Wrong> {
        if self.take(sign) { Ok(()) } else { Err(self.wrong(&format!("'{sign}'"))) }
    }

    /// Something else should be here.
    pub(super) fn wrong(&self, expected: &str) -> Wrong {
        let at = self.tokens.get(self.at).map_or(self.text.len(), |(at, _)| *at);
        let found: String = self.text[at..].chars().take(12).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("'{found}'") };
        Wrong::Text(format!("{expected} is expected at byte {at}, where {found} is"))
    }

    /// A tuple, in which names of `known` ones mean those.
    fn tuple(&mut self, known: &[String], most: usize) -> Result<Tuple, Wrong> {
        let mut tuple = Tuple::default();
        if let Token::Name(name) = self.peek() {
            name.clone_into(&mut tuple.name);
            self.at += 1;
        }
        self.expect("[")?;
        while !self.take("]") {
            if matches!(self.peek(), Token::Sign("[")) || self.ahead(1) == Token::Sign("[") {
                return Err(Wrong::Unexpressed("a tuple in a tuple".to_owned()));
            }
            let ends = |token| matches!(token, Token::Sign("," | "]" | "="));
            let entry = match self.peek() {
                Token::Name(name)
                    if ends(self.ahead(1))
                        && ![known, &tuple.free[..], &self.parameters[..]]
                            .iter()
                            .any(|names| names.iter().any(|own| own == name)) =>
                {
                    self.at += 1;
                    if self.take("=") {
                        formula::sum(self)?
                    } else {
                        tuple.free.push(name.to_owned());
                        Sum::name(name)
                    }
                }
                _ => formula::sum(self)?,
            };
            tuple.entries.push(entry);
            if tuple.entries.len() > most {
                return Err(Wrong::Unexpressed(format!("more than {most} dimensions")));
            }
            if !self.take(",") {
                self.expect("]")?;
                break;
            }
        }
        Ok(tuple)
    }

    /// A tuple or two with conditions, which may be several pieces; none where they never hold.
    fn piece(&mut self, pieces: &mut Vec<Piece>) -> Result<(), Wrong> {
        let bare = matches!(self.peek(), Token::Sign(":" | "}"));
        let mut input = if bare { Tuple::default() } else { self.tuple(&[], MOST_DIMENSIONS)? };
        let output =
            if self.take("->") { Some(self.tuple(&input.free, MOST_DIMENSIONS)?) } else { None };
        // Polly writes no condition where there is none, behind the sign as well.
        let has_conditions = self.take(":") && !matches!(self.peek(), Token::Sign("}" | ";"));
        let conditions = if has_conditions { formula::formula(self)? } else { vec![vec![]] };
        let mut same = vec![];
        // An entry that is not a name of its own gets one, and is equal to it.
        let mut dimensions = vec![];
        for (place, entry) in input.entries.iter_mut().enumerate() {
            let own = entry.terms.keys().next().filter(|name| {
                entry.constant == 0 && entry.terms.len() == 1 && entry.terms.get(*name) == Some(&1)
            });
            match own.filter(|name| input.free.contains(name) && !dimensions.contains(*name)) {
                Some(name) => dimensions.push(name.clone()),
                None => {
                    let name = format!("\u{1}{place}");
                    let large = || Wrong::Unexpressed("numbers that are too large".to_owned());
                    let one = Sum::name(&name).plus(entry, -1).ok_or_else(large)?;
                    same.push(Sum::default().plus(&one, -1).ok_or_else(large)?);
                    same.push(one);
                    *entry = Sum::name(&name);
                    dimensions.push(name);
                }
            }
        }
        input.free = dimensions;
        for conditions in conditions {
            let conditions = same.iter().cloned().chain(conditions).collect();
            pieces.push(Piece { input: input.clone(), output: output.clone(), conditions });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Polly writes the context of loops without parameters.
    #[test]
    fn conditions_may_be_missing() {
        for text in ["{  :  }", "{ : }", "{ }", "[n] -> {  :  }", "{ S[i] : ; S[j] }"] {
            assert!(relation(text).is_ok(), "{text}");
        }
        assert_eq!(relation("{  :  }").unwrap().pieces.len(), 1);
        assert!(relation("{ : and }").is_err());
    }
}
