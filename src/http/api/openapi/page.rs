//! The API's description as a page.

use maud::{DOCTYPE, Markup, html};
use serde_json::Value;

const METHODS: [&str; 4] = ["get", "post", "put", "delete"];

/// Renders the page, without scripts.
pub(super) fn page(document: &Value) -> String {
    let tags = document["tags"].as_array().cloned().unwrap_or_default();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "API of the shop" }
                link rel="stylesheet" href="/docs.css";
            }
            body {
                main {
                    h1 { "API of the shop" }
                    p { (text(&document["info"]["description"])) }
                    p { "For programs: " a href="/openapi.json" { "openapi.json" } " (OpenAPI 3.1). " a href="/" { "To the shop" } }
                    nav aria-label="Calls" {
                        @for tag in &tags {
                            h2 { (text(&tag["name"])) }
                            ul {
                                @for (path, method, operation) in operations(document, text(&tag["name"])) {
                                    li { a href=(format!("#{}", text(&operation["operationId"]))) {
                                        code { (method.to_uppercase()) " " (path) }
                                    } }
                                }
                            }
                        }
                    }
                    @for tag in &tags {
                        @for (path, method, operation) in operations(document, text(&tag["name"])) {
                            (call(path, method, operation))
                        }
                    }
                    h2 id="shapes" { "Shapes" }
                    @for (name, schema) in entries(&document["components"]["schemas"]) {
                        section aria-labelledby=(format!("shape-{name}")) {
                            h3 id=(format!("shape-{name}")) { (name) }
                            (shape(schema))
                        }
                    }
                }
            }
        }
    };
    markup.into_string()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Operations with this tag: path, method and description.
fn operations<'a>(
    document: &'a Value,
    tag: &'a str,
) -> impl Iterator<Item = (&'a String, &'static str, &'a Value)> {
    entries(&document["paths"]).flat_map(move |(path, item)| {
        METHODS
            .into_iter()
            .map(move |method| (path, method, &item[method]))
            .filter(move |(_, _, operation)| operation["tags"][0] == tag)
    })
}

fn call(path: &str, method: &str, operation: &Value) -> Markup {
    let id = text(&operation["operationId"]);
    let parameters = operation["parameters"].as_array();
    html! {
        section aria-labelledby=(id) {
            h3 id=(id) { code { (method.to_uppercase()) " " (path) } }
            p { (text(&operation["description"])) }
            @if operation["security"][0].as_object().is_some_and(|scheme| !scheme.is_empty()) { p { "Needs a token or the cookie of a session." } }
            @if let Some(parameters) = parameters {
                h4 { "Parameters" }
                dl {
                    @for parameter in parameters {
                        dt { code { (text(&parameter["name"])) } " in " (text(&parameter["in"])) }
                        dd { (kind(&parameter["schema"])) (explained(parameter)) }
                    }
                }
            }
            @for (_, content) in entries(&operation["requestBody"]["content"]) {
                p { "Takes " (kind(&content["schema"])) "." }
            }
            h4 { "Answers" }
            dl {
                @for (status, answer) in entries(&operation["responses"]) {
                    dt { code { (status) } }
                    dd {
                        (text(&answer["description"]).trim_end_matches('.'))
                        @for (_, content) in entries(&answer["content"]) { ", " (kind(&content["schema"])) }
                    }
                }
            }
        }
    }
}

fn shape(schema: &Value) -> Markup {
    html! {
        p { (text(&schema["description"])) }
        dl {
            @for (name, property) in entries(&schema["properties"]) {
                dt { code { (name) } }
                dd { (kind(property)) (explained(property)) }
            }
        }
    }
}

fn explained(described: &Value) -> Markup {
    html! {
        @if let Some(description) = described["description"].as_str() { ": " (description) }
    }
}

/// A type in words, with a link to its schema if it has one.
fn kind(schema: &Value) -> Markup {
    let reference = text(&schema["$ref"]);
    let name = reference.rsplit('/').next().unwrap_or_default();
    let choices = schema["enum"].as_array();
    let either = schema["oneOf"].as_array().or(schema["allOf"].as_array());
    html! {
        @if !name.is_empty() {
            a href=(format!("#shape-{name}")) { (name) }
        } @else if let Some(choices) = choices {
            "one of " @for (at, choice) in choices.iter().enumerate() {
                @if at > 0 { ", " }
                code { (text(choice)) }
            }
        } @else if let Some(either) = either {
            @for (at, schema) in either.iter().enumerate() {
                @if at > 0 { " or " }
                (kind(schema))
            }
        } @else if schema["type"] == "array" {
            "a list of " (kind(&schema["items"]))
        } @else {
            (type_name(&schema["type"]))
        }
    }
}

/// OpenAPI 3.1 allows one type or several.
fn type_name(value: &Value) -> String {
    match value {
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().map(text).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    }
}
