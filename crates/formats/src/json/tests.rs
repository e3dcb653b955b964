use proptest::prelude::*;
use serde_json::Value;

use super::outline::Outline;
use super::reader::MOST_NESTED;
use super::{Json, Kind};
use crate::ReadError;
use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;

/// Where pieces end must not matter.
const PIECES: [usize; 3] = [1, 7, 1 << 16];

fn json(bytes: &(impl AsRef<[u8]> + ?Sized), piece: usize) -> Json<'_> {
    Json::new(Stream::in_pieces(bytes.as_ref(), piece), "test").unwrap()
}

fn whole(bytes: &(impl AsRef<[u8]> + ?Sized)) -> Json<'_> {
    json(bytes, 1 << 16)
}

/// What `read` says of a document of one value, however it arrives.
fn each<'t, T: PartialEq + std::fmt::Debug>(
    text: &'t (impl AsRef<[u8]> + ?Sized),
    read: impl Fn(&mut Json<'t>) -> Result<T, ReadError>,
) -> Result<T, String> {
    let results = PIECES.map(|piece| {
        let mut json = json(text, piece);
        let value = read(&mut json).and_then(|value| json.finish().map(|()| value));
        value.map_err(|error| error.to_string())
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[1], results[2]);
    let [result, ..] = results;
    result
}

fn value(json: &mut Json) -> Result<Value, ReadError> {
    Ok(match json.kind()? {
        Kind::Object => {
            let mut members = serde_json::Map::new();
            json.object()?;
            while let Some(key) = json.next_key()? {
                let key = key.to_owned();
                members.insert(key, value(json)?);
            }
            Value::Object(members)
        }
        Kind::Array => {
            let mut elements = vec![];
            json.array()?;
            while json.next_element()? {
                elements.push(value(json)?);
            }
            Value::Array(elements)
        }
        Kind::String => json.string()?.into(),
        Kind::Number => {
            let text = json.string_or_number_text()?.to_owned();
            let number = |read: fn(&mut Json) -> Result<Value, ReadError>| read(&mut whole(&text));
            if text.contains(['.', 'e', 'E']) {
                number(|json| Ok(Value::from(float(json.finite()?))))?
            } else if text.starts_with('-') {
                number(|json| json.i64().map(Value::from))?
            } else {
                number(|json| json.u64().map(Value::from))?
            }
        }
        Kind::Bool => json.bool()?.into(),
        Kind::Null => {
            assert!(json.null()?);
            Value::Null
        }
    })
}

fn float(number: Option<Decimal>) -> f64 {
    let Decimal { mantissa, exponent } = number.unwrap();
    format!("{mantissa}e{exponent}").parse().unwrap()
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1000i32..1000).prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has finite numbers", |f| f.is_finite())
            .prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z\"\\\\\n\u{1f600}é]{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn values_are_those_that_serde_json_wrote(
        written in values(), pretty in any::<bool>(), piece in 1usize..40,
    ) {
        let text = if pretty { serde_json::to_string_pretty(&written) } else { serde_json::to_string(&written) }.unwrap();
        let mut read = json(&text, piece);
        prop_assert_eq!(value(&mut read).unwrap(), written);
        read.finish().unwrap();
        let mut skipped = json(&text, piece);
        skipped.skip().unwrap();
        skipped.finish().unwrap();
        Outline::new(text.as_bytes());
    }

    #[test]
    fn any_bytes_are_survived(bytes in "[\\[\\]{}\",:\\\\0-9a-z. \n-]{0,40}", piece in 1usize..9) {
        for lenient in [false, true] {
            let start = || {
                let json = json(&bytes, piece);
                if lenient { json.lenient() } else { json }
            };
            let mut read = start();
            let read = value(&mut read).and_then(|_| read.finish());
            let mut skipped = start();
            let skipped = skipped.skip().and_then(|()| skipped.finish());
            // Skipping looks at less, but wants what it skips to be whole.
            let cut = matches!(skipped, Err(ReadError::Truncated { .. }));
            prop_assert!(read.is_err() || skipped.is_ok() || lenient && cut);
            if !lenient {
                let sound = serde_json::from_str::<Value>(&bytes).is_ok();
                prop_assert!(read.is_ok() || !sound);
            }
        }
        Outline::new(bytes.as_bytes());
    }
}

#[test]
fn strings_are_decoded() {
    let cases: &[(&[u8], &str)] = &[
        (br#""""#, ""),
        (br#""plain""#, "plain"),
        (br#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (br#""\u00e9\u20AC""#, "é€"),
        (br#""\ud83d\ude00!""#, "😀!"),
        (br#""\ud83d""#, "\u{fffd}"),
        (br#""\ud83dx""#, "\u{fffd}x"),
        (br#""\ud83d\u0041""#, "\u{fffd}A"),
        (br#""\ude00\ud83d\ude00""#, "\u{fffd}😀"),
        (br#""\u12""#, "\u{fffd}12"),
        (br#""\u+123""#, "\u{fffd}+123"),
        (br#""C:\Users\x""#, "C:\\Users\\x"),
        (b"\"\\\xc3\xa9\"", "\\é"),
        (b"\"a\xffb\xc3\"", "a\u{fffd}b\u{fffd}"),
        (b"\"raw\ttab\nline\"", "raw\ttab\nline"),
    ];
    for &(text, expected) in cases {
        let read = each(text, |json| json.string().map(str::to_owned));
        assert_eq!(read.as_deref(), Ok(expected), "{}", text.escape_ascii());
        assert_eq!(each(text, Json::skip), Ok(()), "{}", text.escape_ascii());
    }
    let long = format!("\"{}\\n{}\"", "x".repeat(100_000), "é".repeat(100_000));
    let read = each(&long, |json| Ok(json.string()?.len()));
    assert_eq!(read, Ok(300_001));
}

#[test]
fn numbers_are_read_as_requested() {
    let finite = |text| each(text, |json| Ok(json.finite()?.and_then(|n| n.to_scaled(3))));
    assert_eq!(finite("1.5"), Ok(Some(1500)));
    for text in ["null", "NaN", "nan", "-Infinity", "Infinity", "inf", "-nan"] {
        assert_eq!(finite(text), Ok(None), "{text}");
        assert_eq!(each(text, Json::skip), Ok(()), "{text}");
    }
    assert_eq!(each("1e3", Json::i64), Ok(1000));
    assert_eq!(each("2.0", Json::u64), Ok(2));
    assert_eq!(each("18446744073709551615", Json::u64), Ok(u64::MAX));
    assert_eq!(each("-9223372036854775808", Json::i64), Ok(i64::MIN));
    assert_eq!(each("null", |json| json.optional(Json::i64)), Ok(None));
    assert_eq!(each("7", |json| json.optional(Json::i64)), Ok(Some(7)));
    let text = |text| each(text, |json| json.string_or_number_text().map(str::to_owned));
    assert_eq!(text("\"0x2\"").as_deref(), Ok("0x2"));
    assert_eq!(text("1.50").as_deref(), Ok("1.50"));
    assert_eq!(each("true", Json::bool), Ok(true));
}

proptest! {
    #[test]
    fn arrays_of_numbers_read_like_their_elements(
        texts in proptest::collection::vec(
            prop_oneof![
                "-?[0-9]{1,25}",
                "-?[0-9]{1,12}\\.[0-9]{1,12}",
                "[1-9]e-?[0-9]",
                Just("null".to_owned()),
                Just("NaN".to_owned()),
            ],
            0..40,
        ),
        separator in "[ \n]{0,2},[ \n]{0,2}",
        size in 1usize..50,
    ) {
        let document = format!("[[{}], 1]", texts.join(&separator));
        let expected: Vec<_> = texts.iter().map(|text| Decimal::parse(text.as_bytes())).collect();
        let mut json = Json::new(Stream::in_pieces(document.as_bytes(), size), "test").unwrap();
        let mut found = vec![];
        json.array().unwrap();
        prop_assert!(json.next_element().unwrap());
        json.numbers(|number| {
            found.push(number);
            Ok(())
        }).unwrap();
        prop_assert_eq!(found, expected);
        prop_assert!(json.next_element().unwrap());
        prop_assert_eq!(json.i64().unwrap(), 1);
        prop_assert!(!json.next_element().unwrap());
        json.finish().unwrap();
    }
}

#[test]
fn errors_say_what_was_expected_where() {
    /// Reads `{"a": [{"weight": number}, …]}`.
    fn weights(json: &mut Json) -> Result<(), ReadError> {
        json.object()?;
        while json.next_key()?.is_some() {
            json.array()?;
            while json.next_element()? {
                json.object()?;
                while json.next_key()?.is_some() {
                    json.i64()?;
                }
            }
        }
        Ok(())
    }
    for (text, reason) in [
        (
            r#"{"a": [{}, {"weight": "1"}]}"#,
            "expected a whole number for \"a[1].weight\", found a string at byte 22",
        ),
        (
            r#"{"a": [{"weight": 1.5}]}"#,
            "expected a whole number for \"a[0].weight\", found 1.5 at byte 18",
        ),
        (
            r#"{"a": [{"weight": 1}, 2]}"#,
            "expected an object for \"a[1]\", found a number at byte 22",
        ),
        (r#"{"a": {}}"#, "expected an array for \"a\", found an object at byte 6"),
        ("[]", "expected an object, found an array at byte 0"),
        (r#"{"a": [{"weight" 1}]}"#, "expected a colon for \"a[0].weight\", found `1` at byte 17"),
        (
            r#"{"a" : [] "b"}"#,
            "expected a comma or a closing brace for \"a\", found `\"` at byte 10",
        ),
        (r#"{"a": [ }"#, "expected a value for \"a[0]\", found `}` at byte 8"),
        (r#"{"a": [],}"#, "expected another member after the comma for \"a\", found `}` at byte 9"),
        (r#"{"a": []}}"#, "expected the end of the file, found `}` at byte 9"),
        (
            r#"{"a": [{"weight": 1x}]}"#,
            "expected a whole number for \"a[0].weight\", found 1x at byte 18",
        ),
        (
            r#"{"a": [{"weight": 12"#,
            "it ends at byte 20, before the end of the value for \"a[0].weight\"",
        ),
        ("  ", "it ends at byte 2, inside the document"),
    ] {
        let error = each(text, weights).unwrap_err();
        assert!(error.ends_with(reason), "{text}: {error}");
    }
}

#[test]
fn what_is_not_read_is_skipped() {
    let text =
        r#"{"a":[1,{"]":"\"}"},[[]],"x"],"b":{"c":[true,null]},"d":-1.5e3,"e":[7,8,9],"f":"s"}"#;
    let read = each(text, |json| {
        let mut seen = vec![];
        json.object()?;
        while let Some(key) = json.next_key()? {
            seen.push(key.to_owned());
            match seen.last().map_or("", String::as_str) {
                // Left in the middle.
                "e" => {
                    json.array()?;
                    json.next_element()?;
                    assert_eq!(json.i64()?, 7);
                    json.leave()?;
                }
                "b" => {
                    json.object()?;
                    assert_eq!(json.next_key()?, Some("c"));
                    json.leave()?;
                }
                _ => {}
            }
        }
        Ok(seen.concat())
    });
    assert_eq!(read.as_deref(), Ok("abdef"));
    // What was left open, too.
    assert_eq!(each(text, Json::object), Ok(()));
    assert!(each(r#"{"a":[1}]}"#, Json::skip).is_err());
}

#[test]
fn a_cut_at_any_byte_is_recognised() {
    let text = r#"{"a\n": [1, -2.5e1, true, null, {"b": "\ud83d\ude00é"}], "c": {}, "d": NaN}"#;
    for cut in 0..text.len() {
        let text = &text.as_bytes()[..cut];
        for piece in PIECES {
            for read in [Json::skip, |json: &mut Json| copy(json).map(drop)] {
                let result = read(&mut json(text, piece));
                assert!(matches!(result, Err(ReadError::Truncated { .. })), "{cut}: {result:?}");
            }
            let mut lenient = json(text, piece).lenient();
            let result = lenient.whole(copy);
            assert!(matches!(result, Ok(None)), "{cut}: {result:?}");
            assert!(lenient.cut_short().is_some());
            assert!(lenient.finish().is_ok());
        }
    }
}

/// Reads everything.
fn copy(json: &mut Json) -> Result<u64, ReadError> {
    let mut values = 0;
    match json.kind()? {
        Kind::Object => {
            json.object()?;
            while json.next_key()?.is_some() {
                values += copy(json)?;
            }
        }
        Kind::Array => {
            json.array()?;
            while json.next_element()? {
                values += copy(json)?;
            }
        }
        Kind::String => drop(json.string()?),
        Kind::Number => drop(json.finite()?),
        Kind::Bool => drop(json.bool()?),
        Kind::Null => drop(json.null()?),
    }
    Ok(values + 1)
}

#[test]
fn lenient_reading_keeps_what_is_complete() {
    /// Events as `[{"t": 1}, …]` or `{"events": [ … ]}`; how many, and whether it was cut short.
    fn events(json: &mut Json) -> Result<(Vec<i64>, bool), ReadError> {
        fn event(json: &mut Json) -> Result<i64, ReadError> {
            let mut time = 0;
            json.object()?;
            while let Some(key) = json.next_key()? {
                if key == "t" {
                    time = json.i64()?;
                }
            }
            Ok(time)
        }
        fn list(json: &mut Json) -> Result<Vec<i64>, ReadError> {
            let mut times = vec![];
            json.array()?;
            while json.next_element()? {
                times.extend(json.whole(event)?);
            }
            Ok(times)
        }
        let mut times = vec![];
        match json.kind()? {
            Kind::Array => times = list(json)?,
            _ => {
                json.object()?;
                while let Some(key) = json.next_key()? {
                    if key == "events" {
                        times = list(json)?;
                    }
                }
            }
        }
        Ok((times, json.cut_short().is_some()))
    }
    for (text, expected) in [
        (r#"[{"t":1},{"t":2}]"#, (&[1, 2][..], false)),
        (r#"[{"t":1},{"t":2},]"#, (&[1, 2], false)),
        ("[{\"t\":1},{\"t\":2},\n", (&[1, 2], true)),
        (r#"[{"t":1},{"t":2}"#, (&[1, 2], true)),
        (r#"[{"t":1},{"t":2"#, (&[1], true)),
        (r#"[{"t":1},{"t":2,"args":[1,2,"#, (&[1], true)),
        (r#"[{"t":1},{"t":2,"args":{"a":"b"#, (&[1], true)),
        ("[", (&[], true)),
        ("[{\"t\":1}]\n\0\0]\n", (&[1], false)),
        (r#"{"events":[{"t":1},{"t":2},],"meta":"x",}"#, (&[1, 2], false)),
        (r#"{"events":[{"t":1},{"t":2}"#, (&[1, 2], true)),
        (r#"{"events":[{"t":1},{"t":2}],"meta":"x""#, (&[1, 2], true)),
        (r#"{"events":[{"t":1},{"x"#, (&[1], true)),
    ] {
        for piece in PIECES {
            let mut json = json(text, piece).lenient();
            let (times, cut) = events(&mut json).unwrap();
            json.finish().unwrap();
            assert_eq!((&times[..], cut), expected, "{text}");
        }
    }
    let mut json = whole("[] x").lenient();
    assert!(json.finish().is_err());
}

#[test]
fn nesting_does_not_recurse() {
    const DEPTH: usize = 100_000;
    let arrays = [vec![b'['; DEPTH], vec![b']'; DEPTH]].concat();
    assert!(whole(&arrays).skip().is_ok());

    // The reader of trees in the description of the module.
    let node = r#"{"name":"n","children":["#;
    let text = [node.repeat(DEPTH), "]}".repeat(DEPTH)].concat();
    let mut json = whole(&text);
    let (mut open, mut nodes) = (1, 1);
    json.object().unwrap();
    loop {
        let opened = match json.next_key().unwrap() {
            Some("children") => {
                json.array().unwrap();
                json.next_element().unwrap()
            }
            Some(_) => false,
            None => {
                open -= 1;
                if open == 0 {
                    break;
                }
                json.next_element().unwrap()
            }
        };
        if opened {
            json.object().unwrap();
            open += 1;
            nodes += 1;
        }
    }
    json.finish().unwrap();
    assert_eq!(nodes, DEPTH);

    let endless = vec![b'['; MOST_NESTED + 2];
    assert!(matches!(whole(&endless).skip(), Err(ReadError::Malformed { .. })));
    let mut json = whole(&endless);
    let error = loop {
        if let Err(error) = json.array().and_then(|()| json.next_element()) {
            break error;
        }
    };
    assert!(matches!(error, ReadError::Malformed { .. }), "{error}");
}

#[test]
fn outlines_show_what_the_head_shows() {
    let outline = |text: &str| Outline::new(text.as_bytes()).unwrap();
    let firefox = outline(r#"{"meta":{"version":27,"product":"F"},"libs":[],"threads":[{"name":"#);
    assert!(firefox.has(&["meta", "libs", "threads"]));
    assert_eq!(firefox.at(&["threads", "0"]).map(|thread| thread.kind), Some(Kind::Object));

    let speedscope = outline(r#"{"version":"0.0.1","$schema":"https://x/y.json","shared":{"fr"#);
    assert_eq!(speedscope.string(&["$schema"]), Some("https://x/y.json"));
    assert_eq!(speedscope.at(&["shared"]).map(|shared| shared.kind), Some(Kind::Object));
    assert_eq!(speedscope.keys().collect::<Vec<_>>(), ["version", "$schema", "shared"]);

    let events = outline(r#"[{"name":"a","ph":"X","args":{"deep":{"deeper":1}}},{"pid":1}"#);
    assert_eq!((events.kind, events.string(&["0", "ph"])), (Kind::Array, Some("X")));
    assert!(events.at(&["0", "args", "deep"]).is_some());
    let events = outline("{\"traceEvents\": [\n{\"ph\":\"M\"");
    assert_eq!(events.string(&["traceEvents", "0", "ph"]), Some("M"));

    // A cut in the first element of the first list still shows all around it.
    assert!(outline(r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(ro"#).has(&["nodes"]));
    assert_eq!(outline("{").keys().count(), 0);
    assert_eq!(Outline::new(b"name;other 1\n"), None);
    assert_eq!(Outline::new(b"\x1f\x8b{"), None);
}
