//! Makes `assets/openapi.json` and the tables of calls in `docs/api.md` of the routes.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::catalog::formats::Format;
use crate::domain::{FIELDS, Field, Kind, Scope, line_fields};
use crate::http::api;
use crate::http::api::responses::CardListResponse;
use crate::http::describe::{Access, Call};
use crate::http::pages::assets;
use crate::http::routes::Route;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "deals",
        description = "The API of a shop of affiliate product deals. An error is one sentence with a \
                       code for programs, and a message for each invalid field. Every answer has an x-request-id, which is \
                       also in the shop's log.",
        license(name = "MIT", identifier = "MIT")
    ),
    servers((url = "/")),
    tags(
        (name = "products", description = "For everybody"),
        (name = "administration", description = "For administrators"),
        (name = "reports", description = "Clicks, for administrators"),
        (name = "accounts", description = "Registration, sessions and passwords"),
        (name = "settings", description = "The owner's settings"),
        (name = "health", description = "For monitoring"),
    ),
    // The answer with view=card, which no call declares as its only one.
    components(schemas(CardListResponse<'_>)),
    modifiers(&Security)
)]
struct Document;

/// Adds the authentication schemes.
struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        bearer.bearer_format = Some("JWT".to_owned());
        bearer.description = Some("Token from sign-in, for programs".to_owned());
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let mut key = Http::new(HttpAuthScheme::Bearer);
        key.bearer_format = Some("deals_live_ and 36 characters".to_owned());
        key.description =
            Some("API key with the scope that a call names; made by an administrator".to_owned());
        components.add_security_scheme("key", SecurityScheme::Http(key));
        let cookie = ApiKeyValue::with_description(
            "__Host-session",
            "Session cookie of a browser; named session over http, and with a tag of the shop where its address has a port",
        );
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    }
}

const BASIC_REFUSALS: [(u16, &str); 2] = [
    (400, "A parameter or field is invalid."),
    (503, "Temporarily unavailable: try again later."),
];
const BODY_REFUSALS: [(u16, &str); 6] = [
    (
        400,
        "The body is not the expected JSON, or a field is invalid.",
    ),
    (408, "The body took too long to arrive."),
    (413, "The body is too large."),
    (415, "The body is not sent as JSON."),
    (503, "Temporarily unavailable: try again later."),
    (507, "The shop's disk is full."),
];
const STAFF_REFUSALS: [(u16, &str); 2] = [
    (
        401,
        "Nobody is signed in; `WWW-Authenticate` names the scheme, Bearer.",
    ),
    (
        403,
        "The account's role or the key's scope is not enough, or the request came from another site's page.",
    ),
];
const ACCOUNT_REFUSALS: [(u16, &str); 3] = [
    (401, "Wrong credentials, or not signed in."),
    (
        403,
        "The address is not verified yet, or the request came from another site's page.",
    ),
    (
        429,
        "Too many requests: try again after the seconds in `Retry-After`.",
    ),
];

fn tag(path: &str, access: Access) -> &'static str {
    match path.split('/').nth(1) {
        Some("user") => "accounts",
        Some("report") => "reports",
        Some("settings") => "settings",
        Some("healthz" | "readyz") => "health",
        _ if matches!(access, Access::Everybody | Access::EverybodyAnd(_)) => "products",
        _ => "administration",
    }
}

fn security(access: Access) -> Value {
    let key = |scope: Scope| json!({ "key": [scope.as_str()] });
    let (token, cookie) = (json!({ "token": [] }), json!({ "cookie": [] }));
    match access {
        Access::Everybody => json!([]),
        Access::EverybodyAnd(scope) => json!([{}, token, cookie, key(scope)]),
        Access::Staff(Some(scope)) => json!([token, cookie, key(scope)]),
        Access::Account | Access::Staff(None) | Access::Admin => json!([token, cookie]),
    }
}

/// Describes what follows from the path, the body and who may make the call.
fn complete(path: &str, call: &mut Call) -> Value {
    let tag = tag(path, call.access);
    // A call that says itself when it answers 401 has no other refusals of accounts.
    let names_401 = call.operation.responses.responses.contains_key("401");
    let has_body = call.operation.request_body.is_some();
    let mut refusals: Vec<(u16, &str)> = Vec::new();
    if matches!(call.access, Access::Staff(_) | Access::Admin) {
        refusals.extend(STAFF_REFUSALS);
    } else if tag == "accounts" && (call.access == Access::Account || has_body) && !names_401 {
        refusals.extend(ACCOUNT_REFUSALS);
    }
    if has_body {
        refusals.extend(BODY_REFUSALS);
    } else if tag != "health" {
        refusals.extend(BASIC_REFUSALS);
    }
    for (status, description) in refusals {
        call.refusal(status, description);
    }
    for part in path.split('{').skip(1) {
        let name = part.split('}').next().unwrap();
        let mut described = call.operation.parameters.iter().flatten();
        if !described.any(|parameter| matches!(parameter, RefOr::T(it) if it.name == name)) {
            call.part(name, "The product's _id");
        }
    }
    let operation = &mut call.operation;
    operation.tags = Some(vec![tag.to_owned()]);
    if let Some(parameters) = &mut operation.parameters {
        parameters.sort_by_key(|parameter| match parameter {
            RefOr::T(it) if it.parameter_in == ParameterIn::Path => 0,
            RefOr::T(it) if it.parameter_in == ParameterIn::Query => 1,
            _ => 2,
        });
    }
    let summary = operation.summary.clone().unwrap();
    let details = operation.description.take().unwrap_or_default();
    operation.description = Some(format!("{summary} {details}").trim_end().to_owned());
    operation.summary = Some(summary.trim_end_matches('.').to_owned());
    let mut operation = serde_json::to_value(operation).unwrap();
    operation["security"] = security(call.access);
    let parameters = operation.get_mut("parameters");
    for parameter in parameters
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        // With `default`, utoipa makes an inline enum an object.
        match parameter["name"].as_str() {
            Some("sortBy") => parameter["schema"]["default"] = "createdAt".into(),
            Some("order") => parameter["schema"]["default"] = "desc".into(),
            _ => {}
        }
    }
    operation
}

/// Path, method and description of every call of the API.
fn calls() -> Vec<(&'static str, String, Call)> {
    let calls = api::routes().into_iter().map(Route::into_call);
    let files = assets::routes().into_iter().map(Route::into_call);
    calls
        .chain(files.filter(|(_, _, call)| call.operation.summary.is_some()))
        .map(|(path, method, call)| (path, method.to_lowercase(), call))
        .collect()
}

fn document() -> Value {
    let mut document = serde_json::to_value(Document::openapi()).unwrap();
    for (path, method, mut call) in calls() {
        document["paths"][path][method] = complete(path, &mut call);
        for (name, schema) in call.schemas {
            document["components"]["schemas"][name] = serde_json::to_value(schema).unwrap();
        }
    }
    let schemas = document["components"]["schemas"].as_object_mut().unwrap();
    let mut plain = schemas.clone();
    plain.retain(|_, schema| is_plain(schema));
    schemas.retain(|_, schema| !is_plain(schema));
    write_in_place(&mut document, &plain);
    let schemas = &mut document["components"]["schemas"];
    for (field, line) in line_fields() {
        let text = json!({ "description": line.about, "type": "string" });
        schemas["ProductBody"]["allOf"][1]["properties"][field.name] = text.clone();
        for name in ["ProductRequest", "ProductChangeRequest"] {
            let sent = &mut schemas[name]["properties"][field.name];
            *sent = text.clone();
            (sent["type"], sent["maxLength"]) = (json!(["string", "null"]), line.most.into());
        }
    }
    // Generators ignore `if`, and make every field of an `anyOf` a type of its own.
    for name in ["ProductRequest", "ProductChangeRequest"] {
        let schema = &mut document["components"]["schemas"][name];
        schema["if"] = json!({ "required": ["price", "discount"] });
        schema["else"] = json!({
            "required": ["finalPrice"],
            "anyOf": [{ "required": ["price"] }, { "required": ["discount"] }],
        });
    }
    document
}

/// Names of an object's fields, like `{"data", "meta"}`, of one in a list, or the kind of a value.
fn fields(document: &Value, schema: &Value) -> String {
    fn collect<'a>(document: &'a Value, schema: &'a Value, names: &mut Vec<&'a str>) {
        let target = schema["$ref"].as_str().map(|it| it.trim_start_matches('#'));
        let schema = target.map_or(schema, |pointer| document.pointer(pointer).unwrap());
        let properties = schema["properties"].as_object();
        names.extend(
            properties
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str()),
        );
        for part in schema["allOf"].as_array().into_iter().flatten() {
            collect(document, part, names);
        }
    }
    let mut names = Vec::new();
    collect(document, schema, &mut names);
    match schema["type"].as_str() {
        _ if !names.is_empty() => format!(
            "`{{{}}}`",
            names
                .iter()
                .map(|name| format!("{name:?}"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Some("array") => format!("a list of {}", fields(document, &schema["items"])),
        Some("string") => "text".to_owned(),
        _ => "JSON".to_owned(),
    }
}

fn callers(access: Access) -> String {
    match access {
        Access::Everybody | Access::EverybodyAnd(_) => "everybody".to_owned(),
        Access::Account => "accounts".to_owned(),
        Access::Staff(Some(scope)) => format!("staff, `{}`", scope.as_str()),
        Access::Staff(None) => "staff".to_owned(),
        Access::Admin => "administrators".to_owned(),
    }
}

/// Tables of all calls in Markdown.
fn tables(document: &Value) -> String {
    let mut tables = String::new();
    for tag in document["tags"].as_array().unwrap() {
        let (name, about) = (
            tag["name"].as_str().unwrap(),
            tag["description"].as_str().unwrap(),
        );
        tables += &format!(
            "\n### {name}\n\n{about}.\n\n| call | for | description | answer |\n|---|---|---|---|\n"
        );
        for (path, method, call) in calls() {
            let operation = &document["paths"][path][&method];
            if operation["tags"][0] == *name {
                tables += &row(document, path, &method, call.access);
            }
        }
    }
    tables
}

fn row(document: &Value, path: &str, method: &str, access: Access) -> String {
    let operation = &document["paths"][path][method];
    let mut text = operation["description"].as_str().unwrap().to_owned();
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let query = parameters.filter(|parameter| parameter["in"] == "query");
    let query: Vec<String> = query
        .map(|it| format!("`{}`", it["name"].as_str().unwrap()))
        .collect();
    if !query.is_empty() {
        text += &format!(" Query: {}.", query.join(", "));
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if body.as_object().is_some_and(|schema| !schema.is_empty()) {
        text += &format!(" Takes {}.", fields(document, body));
    }
    let answers = operation["responses"].as_object().unwrap().iter();
    let answers = answers.filter(|(status, _)| status.starts_with('2'));
    let answers = answers.map(|(status, answer)| {
        let schema = answer["content"]
            .as_object()
            .and_then(|it| it.values().next());
        let fields = schema
            .map(|it| fields(document, &it["schema"]))
            .unwrap_or_default();
        format!("{status} {fields}")
            .replace("200 ", "")
            .trim()
            .to_owned()
    });
    let answers: Vec<String> = answers.collect();
    let (call, text) = (
        format!("{} {path}", method.to_uppercase()),
        text.replace('|', "\\|"),
    );
    format!(
        "| `{call}` | {} | {text} | {} |\n",
        callers(access),
        answers.join("; ")
    )
}

/// True for the type of a value without fields, like a time or a price.
fn is_plain(schema: &Value) -> bool {
    schema["enum"].is_null() && matches!(schema["type"].as_str(), Some("string" | "number"))
}

/// Writes plain types where they are used, which spares clients types of their own for them.
fn write_in_place(value: &mut Value, plain: &Map<String, Value>) {
    match value {
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| write_in_place(item, plain)),
        Value::Object(fields) => {
            fields
                .values_mut()
                .for_each(|field| write_in_place(field, plain));
            let target = fields.get("$ref").and_then(Value::as_str);
            let target = target.and_then(|path| plain.get(path.rsplit('/').next()?));
            let nullable = match fields
                .get("oneOf")
                .and_then(Value::as_array)
                .map(Vec::as_slice)
            {
                Some([one, null]) if null["type"] == "null" && is_plain(one) => Some(one.clone()),
                _ => None,
            };
            if let Some(mut schema) = nullable {
                schema["type"] = json!([schema["type"], "null"]);
                fields.remove("oneOf");
                fields.extend(schema.as_object().unwrap().clone());
            } else if let Some(schema) = target.cloned() {
                fields.remove("$ref");
                let schema = schema.as_object().unwrap().clone();
                fields.extend(schema.into_iter().filter(|(key, _)| key != "description"));
            }
        }
        _ => {}
    }
}

/// Compares a generated file, or writes it with `DEALS_UPDATE=1 cargo test --lib openapi`.
fn assert_generated(file: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var("DEALS_UPDATE").is_ok_and(|value| value == "1") {
        fs::write(&path, made).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == made,
        "{file} is out of date: DEALS_UPDATE=1 cargo test --lib openapi"
    );
}

#[test]
fn the_description_is_made_of_the_handlers_types() {
    let made = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    assert_generated("assets/openapi.json", &made);
}

#[test]
fn the_tables_of_calls_are_made_of_the_routes() {
    const BEGIN: &str = "<!-- tables of calls: DEALS_UPDATE=1 cargo test --lib openapi -->\n";
    const END: &str = "<!-- end of the tables -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api.md");
    let page = fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let made = format!("{before}{BEGIN}{}\n{END}{after}", tables(&document()));
    assert_generated("docs/api.md", &made);
}

#[test]
fn the_app_has_the_fields_and_formats_of_the_server() {
    for (name, is_line) in [("fields", false), ("lines", true)] {
        let of_kind = |field: &&Field| matches!(field.kind, Kind::Line(_)) == is_line;
        let fields = FIELDS.iter().filter(of_kind);
        let fields: Map<_, _> = fields.map(|it| (it.name.to_owned(), json!(it))).collect();
        let made = serde_json::to_string_pretty(&json!({ name: fields })).unwrap() + "\n";
        assert_generated(&format!("frontend/src/shop/{name}.json"), &made);
    }
    let formats = Format::ALL.map(|format| {
        let (label, short) = format.labels();
        json!({ "name": format, "label": label, "short": short })
    });
    let made = serde_json::to_string_pretty(&json!({ "formats": formats })).unwrap() + "\n";
    assert_generated("frontend/src/shop/formats.json", &made);
}
