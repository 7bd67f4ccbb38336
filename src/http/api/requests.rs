//! Request bodies about accounts.
//!
//! A field of a wrong type counts as empty, so that its own rule is reported; a missing one is named
//! as missing. Unknown fields are ignored: no request can set a role or an id.

use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::domain::{
    CONSTANTS, Credentials, Email, FieldError, Password, Registration, without_reordering,
};
use crate::http::error::ApiError;

/// A text field as sent; none if it was left out.
#[derive(Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String)]
pub(crate) struct Text(Option<Value>);

impl Text {
    pub(super) fn as_str(&self) -> &str {
        let text = self.0.as_ref().and_then(Value::as_str);
        text.unwrap_or_default()
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RegisterRequest {
    #[schema(value_type = String, min_length = 3, max_length = 50)]
    username: Text,
    #[schema(value_type = String, format = Email, max_length = 254)]
    email: Text,
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    password: Text,
}

impl RegisterRequest {
    pub(crate) fn parse(&self) -> Result<Registration, ApiError> {
        Registration::parse(
            self.username.as_str(),
            self.email.as_str(),
            self.password.as_str(),
        )
        .map_err(|errors| {
            let sent = [
                ("username", &self.username),
                ("email", &self.email),
                ("password", &self.password),
            ];
            missing_or_invalid(errors, &sent)
        })
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SignInRequest {
    #[schema(value_type = String, format = Email, max_length = 254)]
    email: Text,
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    password: Text,
}

impl SignInRequest {
    pub(crate) fn parse(&self) -> Result<Credentials, ApiError> {
        Credentials::parse(self.email.as_str(), self.password.as_str()).map_err(|errors| {
            let sent = [("email", &self.email), ("password", &self.password)];
            missing_or_invalid(errors, &sent)
        })
    }
}

/// Body of calls that take an address only.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EmailRequest {
    #[schema(value_type = String, format = Email, max_length = 254)]
    email: Text,
}

impl EmailRequest {
    pub(crate) fn parse(&self) -> Result<Email, ApiError> {
        let mut errors = Vec::new();
        finish(email(&self.email, &mut errors), errors)
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ResendRequest {
    #[schema(value_type = String, format = Email, max_length = 254)]
    email: Text,
    /// From the answer to `register`; without it, the only waiting form is meant.
    #[schema(value_type = Option<String>)]
    registration: Text,
}

impl ResendRequest {
    /// Validates the address and the optional registration.
    pub(crate) fn parse(&self) -> Result<(Email, Option<String>), ApiError> {
        let mut errors = Vec::new();
        let email = email(&self.email, &mut errors);
        let handle = handle("registration", &self.registration, &mut errors);
        finish(email.zip(handle), errors)
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct CodeRequest {
    #[schema(value_type = String, format = Email, max_length = 254)]
    email: Text,
    #[schema(value_type = String, pattern = "^[0-9]{6}$")]
    code: Text,
    /// From the answer to `register`; without it, the only waiting form is meant.
    #[schema(value_type = Option<String>)]
    registration: Text,
}

impl CodeRequest {
    /// Validates the address, the optional registration and the code.
    pub(crate) fn parse(&self) -> Result<(Email, Option<String>, String), ApiError> {
        let mut errors = Vec::new();
        let email = email(&self.email, &mut errors);
        let code = code(&self.code, &mut errors);
        let handle = handle("registration", &self.registration, &mut errors);
        let fields = email.zip(handle).zip(code);
        finish(
            fields.map(|((email, handle), code)| (email, handle, code)),
            errors,
        )
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ResetPasswordRequest {
    #[schema(value_type = String, format = Email, max_length = 254)]
    email: Text,
    #[schema(value_type = String, pattern = "^[0-9]{6}$")]
    code: Text,
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    password: Text,
    /// From the answer to `forgot-password`; without it, the only waiting request is meant.
    #[schema(value_type = Option<String>)]
    request: Text,
}

/// A validated [`ResetPasswordRequest`].
pub(crate) struct ResetPassword {
    pub(crate) email: Email,
    pub(crate) request: Option<String>,
    pub(crate) code: String,
    pub(crate) password: Password,
}

impl ResetPasswordRequest {
    pub(crate) fn parse(&self) -> Result<ResetPassword, ApiError> {
        let mut errors = Vec::new();
        let email = email(&self.email, &mut errors);
        let code = code(&self.code, &mut errors);
        let password = password("password", &self.password, &mut errors);
        let request = handle("request", &self.request, &mut errors);
        let fields = email.zip(code).zip(password).zip(request);
        finish(
            fields.map(|(((email, code), password), request)| ResetPassword {
                email,
                request,
                code,
                password,
            }),
            errors,
        )
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangePasswordRequest {
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    current_password: Text,
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    new_password: Text,
}

impl ChangePasswordRequest {
    pub(crate) fn parse(&self) -> Result<(Password, Password), ApiError> {
        let mut errors = Vec::new();
        let current = password("currentPassword", &self.current_password, &mut errors);
        let new = password("newPassword", &self.new_password, &mut errors);
        finish(current.zip(new), errors)
    }
}

/// Validates an invitation: an address, and a name if one is suggested.
pub(super) fn parse_invitation(
    address: &Text,
    username: &Text,
    errors: &mut Vec<FieldError>,
) -> Option<(Email, String)> {
    let email = email(address, errors);
    let name = without_reordering(username.as_str().trim());
    if !name.is_empty() {
        // Only the name's rule counts here.
        let checked = Registration::parse(&name, "", "");
        let broken = checked.err().unwrap_or_default().into_iter();
        let before = errors.len();
        errors.extend(broken.filter(|error| error.field == "username"));
        if errors.len() > before {
            return None;
        }
    }
    Some((email?, name))
}

/// Validates the name and password of an invited person.
pub(super) fn parse_invited(
    username: &Text,
    email: &str,
    password: &Text,
) -> Result<Registration, ApiError> {
    Registration::parse(username.as_str(), email, password.as_str()).map_err(|errors| {
        let sent = [("username", username), ("password", password)];
        missing_or_invalid(errors, &sent)
    })
}

/// Validates a password that is asked for again.
pub(super) fn parse_password(text: &Text) -> Result<Password, ApiError> {
    let mut errors = Vec::new();
    finish(password("password", text, &mut errors), errors)
}

fn email(text: &Text, errors: &mut Vec<FieldError>) -> Option<Email> {
    let email = Email::parse(text.as_str());
    if email.is_none() {
        let rule = "Please enter a valid email address.";
        errors.push(broken("email", text, rule));
    }
    email
}

fn code(text: &Text, errors: &mut Vec<FieldError>) -> Option<String> {
    let code = text.as_str().trim();
    if code.len() == CONSTANTS.code_length && code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(code.to_owned());
    }
    errors.push(broken("code", text, "Please enter the 6-digit code."));
    None
}

/// Validates an optional handle. One that is not a text is refused, else the code would count for
/// another form than the one meant.
fn handle(field: &str, text: &Text, errors: &mut Vec<FieldError>) -> Option<Option<String>> {
    match &text.0 {
        None => Some(None),
        Some(Value::String(handle)) if handle.is_empty() => Some(None),
        Some(Value::String(handle)) => Some(Some(handle.clone())),
        _ => {
            let message = format!("{field} must be the text from the earlier answer.");
            errors.push(FieldError::new(field, message));
            None
        }
    }
}

fn password(field: &str, text: &Text, errors: &mut Vec<FieldError>) -> Option<Password> {
    match Password::parse(text.as_str()) {
        Ok(password) => Some(password),
        Err(message) => {
            errors.push(broken(field, text, message));
            None
        }
    }
}

/// Makes the error of a field that breaks its rule, or was not sent.
fn broken(field: &str, text: &Text, rule: impl Into<String>) -> FieldError {
    if text.0.is_none() {
        FieldError::missing(field)
    } else {
        FieldError::new(field, rule)
    }
}

/// Names fields that were not sent as missing.
fn missing_or_invalid(errors: Vec<FieldError>, sent: &[(&str, &Text)]) -> ApiError {
    let named = |error: FieldError| {
        let text = sent.iter().find(|(field, _)| *field == error.field);
        match text {
            Some((field, text)) => broken(field, text, error.message),
            None => error,
        }
    };
    ApiError::Invalid(errors.into_iter().map(named).collect())
}

fn finish<T>(value: Option<T>, errors: Vec<FieldError>) -> Result<T, ApiError> {
    value.ok_or(ApiError::Invalid(errors))
}
