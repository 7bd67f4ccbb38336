//! What the app reads before anything else: the answers of the API that a page was made from.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::http::error::ApiError;
use crate::http::storefront::Storefront;

/// Answers of the API, as JSON texts, by their path.
pub(super) type Answers = BTreeMap<String, String>;

/// The element that `frontend/src/api/served.ts` reads.
pub(super) fn served(front: &Storefront, answers: &Answers) -> Result<Markup, ApiError> {
    Ok(element(&with_answers(front, answers)?))
}

/// The element of a page that the app makes by itself.
pub(super) fn without_answers(front: &Storefront) -> Markup {
    element(&json!({ "shop": front.body() }).to_string())
}

fn element(json: &str) -> Markup {
    // A `<` could end the element.
    let json = json.replace('<', "\\u003c");
    html! { script id="served" type="application/json" { (PreEscaped(json)) } }
}

fn with_answers(front: &Storefront, answers: &Answers) -> Result<String, ApiError> {
    let mut json = b"{\"answers\":{".to_vec();
    for (index, (path, answer)) in answers.iter().enumerate() {
        separate(&mut json, index);
        put(&mut json, path)?;
        json.push(b':');
        json.extend_from_slice(answer.as_bytes());
    }
    json.extend_from_slice(b"},\"shop\":");
    put(&mut json, &front.body())?;
    json.push(b'}');
    written(json)
}

/// An answer as it is sent.
pub(super) fn text(answer: &impl Serialize) -> Result<String, ApiError> {
    serde_json::to_string(answer).map_err(ApiError::unwritten)
}

/// An answer some of whose fields are lists of products: the names of a product's fields stand once,
/// above their values.
pub(super) fn with_tables(answer: &impl Serialize, lists: &[&str]) -> Result<String, ApiError> {
    let answer = serde_json::to_value(answer).map_err(ApiError::unwritten)?;
    let mut json = vec![b'{'];
    for (index, (name, value)) in answer.as_object().into_iter().flatten().enumerate() {
        separate(&mut json, index);
        put(&mut json, name)?;
        json.push(b':');
        match value {
            Value::Array(products) if lists.contains(&name.as_str()) => {
                put_table(&mut json, products)?;
            }
            value => put(&mut json, value)?,
        }
    }
    json.push(b'}');
    written(json)
}

/// The name of a product's field, and of the one in it where it is an object.
type Field<'a> = (&'a str, Option<&'a str>);

fn put_table(json: &mut Vec<u8>, products: &[Value]) -> Result<(), ApiError> {
    let products = products.iter().filter_map(Value::as_object).map(flat);
    let products: Vec<Vec<(Field<'_>, &Value)>> = products.collect();
    // All have nearly the same.
    let mut fields: Vec<Field<'_>> = Vec::new();
    for (field, _) in products.iter().flatten() {
        if let Err(at) = fields.binary_search(field) {
            fields.insert(at, *field);
        }
    }
    json.extend_from_slice(b"{\"fields\":[");
    for (index, (name, inner)) in fields.iter().enumerate() {
        separate(json, index);
        match inner {
            None => put(json, name)?,
            Some(inner) => put(json, &format!("{name}.{inner}"))?,
        }
    }
    json.extend_from_slice(b"],\"rows\":[");
    for (index, product) in products.iter().enumerate() {
        separate(json, index);
        put_row(json, &fields, product)?;
    }
    json.extend_from_slice(b"]}");
    Ok(())
}

fn put_row(
    json: &mut Vec<u8>,
    fields: &[Field<'_>],
    product: &[(Field<'_>, &Value)],
) -> Result<(), ApiError> {
    let value = |field: &str| product.iter().find(|((name, _), _)| *name == field);
    let updated = value("updatedAt").map(|(_, value)| value);
    // What was never changed says once when it was made.
    let same = updated == value("createdAt").map(|(_, value)| value);
    let mut values = product.iter().peekable();
    json.push(b'[');
    for (index, field) in fields.iter().enumerate() {
        separate(json, index);
        match values.next_if(|(name, _)| name == field) {
            Some((("updatedAt", _), _)) if same => json.extend_from_slice(b"null"),
            Some((_, value)) => put(json, value)?,
            None => json.extend_from_slice(b"null"),
        }
    }
    json.push(b']');
    Ok(())
}

/// The fields of a product, sorted, those of an object in it by both names.
fn flat(product: &Map<String, Value>) -> Vec<(Field<'_>, &Value)> {
    let mut fields = Vec::with_capacity(2 * product.len());
    for (name, value) in product {
        match value {
            Value::Object(inner) => {
                let inner = inner.iter().filter(|(_, value)| says_something(value));
                fields.extend(
                    inner.map(|(inner, value)| ((name.as_str(), Some(inner.as_str())), value)),
                );
            }
            value => fields.push(((name.as_str(), None), value)),
        }
    }
    fields
}

fn says_something(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false)) && value.as_str() != Some("")
}

fn separate(json: &mut Vec<u8>, index: usize) {
    if index > 0 {
        json.push(b',');
    }
}

fn put(json: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Result<(), ApiError> {
    serde_json::to_writer(json, value).map_err(ApiError::unwritten)
}

fn written(json: Vec<u8>) -> Result<String, ApiError> {
    String::from_utf8(json).map_err(|error| ApiError::Internal(error.to_string()))
}
