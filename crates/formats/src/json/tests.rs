use super::*;

fn json(text: &str) -> Json<'_> {
    Json::new(Stream::new(Box::new(text.as_bytes()), u64::MAX), "test").unwrap()
}

#[test]
fn smoke() {
    let mut json = json(r#"{"a":[1,2.5,null,"x\u00e9"],"b":{"c":true},"d":"s"}"#);
    json.object().unwrap();
    while let Some(key) = json.next_key().unwrap() {
        match key {
            "a" => {
                json.array().unwrap();
                while json.next_element().unwrap() {
                    match json.kind().unwrap() {
                        Kind::Number => drop(json.number().unwrap()),
                        Kind::String => assert_eq!(json.string().unwrap(), "xé"),
                        _ => assert!(json.null().unwrap()),
                    }
                }
            }
            "d" => assert_eq!(json.string().unwrap(), "s"),
            _ => {}
        }
    }
    json.finish().unwrap();
}
