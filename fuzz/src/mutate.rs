//! Changes to files that keep them close to sound: keys in another order, numbers at their limits,
//! arrays cut short. A flipped bit mostly ends in the first error of a reader; these get behind it.
//!
//! Needs nothing but the standard library, because the tests of the readers use it too.

/// Random numbers that are the same for the same seed (SplitMix64, Steele et al., OOPSLA 2014).
pub struct Random(u64);

impl Random {
    /// Those of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next one, of all numbers alike.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

/// Numbers as texts that readers should think of.
const NUMBERS: [&str; 22] = [
    "0",
    "-1",
    "1",
    "127",
    "256",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "-9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "340282366920938463463374607431768211456",
    "0.000000000000000001",
    "1e308",
    "-1e308",
    "1e-320",
    "-0.5",
];

/// A file like `bytes` that differs in a few values, by its kind: JSON, text or binary.
pub fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let text = std::str::from_utf8(bytes);
    match (first, text) {
        (Some(b'{' | b'['), Ok(text)) if Json::parse(text).is_some() => mutate_json(text, random),
        (_, Ok(text)) => mutate_text(text, random).into_bytes(),
        _ => mutate_binary(bytes, random),
    }
}

/// JSON with the members of every object in another order; none if the text is not JSON.
pub fn shuffle_keys(text: &str, random: &mut Random) -> Option<String> {
    let mut json = Json::parse(text)?;
    json.visit(&mut |value| {
        if let Json::Object(members) = value {
            random.shuffle(members);
        }
    });
    Some(json.text())
}

fn mutate_json(text: &str, random: &mut Random) -> Vec<u8> {
    let Some(mut json) = Json::parse(text) else { return text.into() };
    let mut count = 0usize;
    json.visit(&mut |_| count += 1);
    for _ in 0..1 + random.below(3) {
        let (chosen, what) = (random.below(count.max(1)), random.below(8));
        let mut at = 0;
        json.visit(&mut |value| {
            if at == chosen {
                change(value, what, random);
            }
            at += 1;
        });
    }
    if random.below(4) == 0 {
        json.visit(&mut |value| {
            if let Json::Object(members) = value {
                random.shuffle(members);
            }
        });
    }
    json.text().into_bytes()
}

fn change(value: &mut Json<'_>, what: usize, random: &mut Random) {
    match value {
        Json::Array(list) if what < 4 && !list.is_empty() => {
            list.truncate(random.below(list.len()));
        }
        Json::Array(list) if what < 6 && !list.is_empty() => {
            let place = random.below(list.len());
            list[place] = Json::Scalar((*random.one_of(&NUMBERS)).into());
        }
        Json::Object(members) if what < 4 && !members.is_empty() => {
            members.remove(random.below(members.len()));
        }
        Json::Object(members) if what < 6 && !members.is_empty() => {
            let place = random.below(members.len());
            members[place].1 = Json::Scalar((*random.one_of(&NUMBERS)).into());
        }
        Json::Scalar(text) if what < 7 => {
            let number = *random.one_of(&NUMBERS);
            *text = if text.starts_with('"') { format!("\"{number}\"") } else { number.into() };
        }
        other => {
            *other = match random.below(4) {
                0 => Json::Scalar("null".into()),
                1 => Json::Scalar("\"\"".into()),
                2 => Json::Array(vec![]),
                _ => Json::Object(vec![]),
            }
        }
    }
}

fn mutate_text(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for _ in 0..1 + random.below(3) {
        let row = random.below(lines.len());
        match random.below(8) {
            0 => drop(lines.remove(row)),
            1 => lines.insert(row, lines[row].clone()),
            2 => {
                let other = random.below(lines.len());
                lines.swap(row, other);
            }
            3 => lines.truncate(row),
            _ => lines[row] = with_other_number(&lines[row], random),
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n")
}

/// A line with one of its runs of digits replaced.
fn with_other_number(line: &str, random: &mut Random) -> String {
    let digits: Vec<usize> = line
        .bytes()
        .enumerate()
        .filter(|&(at, byte)| {
            byte.is_ascii_digit() && (at == 0 || !line.as_bytes()[at - 1].is_ascii_digit())
        })
        .map(|(at, _)| at)
        .collect();
    if digits.is_empty() {
        return line.to_owned();
    }
    let start = *random.one_of(&digits);
    let rest = &line[start..];
    let len = rest.bytes().take_while(u8::is_ascii_digit).count();
    format!("{}{}{}", &line[..start], random.one_of(&NUMBERS), &rest[len..])
}

fn mutate_binary(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        if out.is_empty() {
            break;
        }
        let at = random.below(out.len());
        let whole = *random.one_of(&[
            0,
            1,
            u64::MAX,
            i64::MAX as u64,
            i64::MIN as u64,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            1 << 32,
        ]);
        let float =
            *random.one_of(&[-9.3e9f64, 9.3e9, 1e300, -1e300, f64::NAN, f64::INFINITY, 1e-310]);
        let new: Vec<u8> = match random.below(8) {
            0 | 1 => float.to_le_bytes().to_vec(),
            2 => whole.to_le_bytes().to_vec(),
            3 => (whole as u32).to_le_bytes().to_vec(),
            4 => (whole as u32).to_be_bytes().to_vec(),
            5 => vec![whole as u8],
            // A number of seven bits a byte; it may push the rest further.
            6 => {
                let mut varint = vec![0xff; 9];
                varint.push(1);
                let end = (at + 1).min(out.len());
                out.splice(at..end, varint);
                continue;
            }
            _ => {
                out.truncate(at);
                continue;
            }
        };
        for (byte, new) in out[at..].iter_mut().zip(new) {
            *byte = new;
        }
    }
    out
}

/// A JSON document; texts and numbers as they are written.
enum Json<'t> {
    Object(Vec<(&'t str, Json<'t>)>),
    Array(Vec<Json<'t>>),
    Scalar(String),
}

impl<'t> Json<'t> {
    /// Deeper documents are left alone.
    const MOST_NESTED: usize = 200;

    fn parse(text: &'t str) -> Option<Json<'t>> {
        let mut at = 0;
        let json = Json::value(text, &mut at, 0)?;
        text[at..].trim().is_empty().then_some(json)
    }

    fn value(text: &'t str, at: &mut usize, depth: usize) -> Option<Json<'t>> {
        if depth > Json::MOST_NESTED {
            return None;
        }
        match peek(text, at)? {
            b'{' => {
                *at += 1;
                let mut members = vec![];
                if peek(text, at)? != b'}' {
                    loop {
                        peek(text, at).filter(|&byte| byte == b'"')?;
                        let key = string(text, at)?;
                        peek(text, at).filter(|&byte| byte == b':')?;
                        *at += 1;
                        members.push((key, Json::value(text, at, depth + 1)?));
                        match peek(text, at)? {
                            b',' => *at += 1,
                            b'}' => break,
                            _ => return None,
                        }
                    }
                }
                *at += 1;
                Some(Json::Object(members))
            }
            b'[' => {
                *at += 1;
                let mut list = vec![];
                if peek(text, at)? != b']' {
                    loop {
                        list.push(Json::value(text, at, depth + 1)?);
                        match peek(text, at)? {
                            b',' => *at += 1,
                            b']' => break,
                            _ => return None,
                        }
                    }
                }
                *at += 1;
                Some(Json::Array(list))
            }
            b'"' => string(text, at).map(|text| Json::Scalar(text.to_owned())),
            _ => {
                let rest = &text[*at..];
                let ends = |byte: u8| b",]}".contains(&byte) || byte.is_ascii_whitespace();
                let len = rest.bytes().position(ends).unwrap_or(rest.len());
                *at += len;
                (len > 0).then(|| Json::Scalar(rest[..len].to_owned()))
            }
        }
    }

    /// Calls for every value, the inner ones after their outer ones.
    fn visit(&mut self, each: &mut impl FnMut(&mut Json<'t>)) {
        each(self);
        match self {
            Json::Object(members) => members.iter_mut().for_each(|(_, value)| value.visit(each)),
            Json::Array(list) => list.iter_mut().for_each(|value| value.visit(each)),
            Json::Scalar(_) => {}
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Object(members) => {
                out.push('{');
                for (place, (key, value)) in members.iter().enumerate() {
                    out.push_str(if place > 0 { "," } else { "" });
                    out.push_str(key);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
            Json::Array(list) => {
                out.push('[');
                for (place, value) in list.iter().enumerate() {
                    out.push_str(if place > 0 { "," } else { "" });
                    value.write(out);
                }
                out.push(']');
            }
            Json::Scalar(text) => out.push_str(text),
        }
    }
}

fn peek(text: &str, at: &mut usize) -> Option<u8> {
    let bytes = text.as_bytes();
    while bytes.get(*at)?.is_ascii_whitespace() {
        *at += 1;
    }
    bytes.get(*at).copied()
}

/// The string at the cursor, with its quotes.
fn string<'t>(text: &'t str, at: &mut usize) -> Option<&'t str> {
    let start = *at;
    let mut escaped = false;
    for (place, byte) in text.as_bytes()[start + 1..].iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                *at = start + 1 + place + 1;
                return Some(&text[start..*at]);
            }
            _ => {}
        }
    }
    None
}
