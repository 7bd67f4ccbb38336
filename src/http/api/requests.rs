//! The JSON shapes of what clients send about accounts.
//!
//! A field of a wrong type counts as empty, so that its own rule says what it
//! should be. Unknown fields are ignored, which leaves nothing that could set a
//! role or an id.

use serde::Deserialize;
use serde_json::Value;

use crate::domain::{Credentials, Email, FieldError, Password, Registration};
use crate::http::error::ApiError;

/// Characters of a code (spec section 9).
const CODE: usize = 6;

/// A text field as it was sent.
#[derive(Default, Deserialize)]
#[serde(transparent)]
struct Text(Value);

impl Text {
    fn as_str(&self) -> &str {
        self.0.as_str().unwrap_or_default()
    }
}

/// The body of `register`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct RegisterRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 3, max_length = 50))]
    username: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, format = Email, max_length = 254))]
    email: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
    password: Text,
}

impl RegisterRequest {
    pub(crate) fn parse(&self) -> Result<Registration, ApiError> {
        Registration::parse(
            self.username.as_str(),
            self.email.as_str(),
            self.password.as_str(),
        )
        .map_err(ApiError::Invalid)
    }
}

/// The body of `sign-in`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct SignInRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, format = Email, max_length = 254))]
    email: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
    password: Text,
}

impl SignInRequest {
    pub(crate) fn parse(&self) -> Result<Credentials, ApiError> {
        Credentials::parse(self.email.as_str(), self.password.as_str()).map_err(ApiError::Invalid)
    }
}

/// The body of the calls that only name an address.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct EmailRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, format = Email, max_length = 254))]
    email: Text,
}

impl EmailRequest {
    pub(crate) fn parse(&self) -> Result<Email, ApiError> {
        let mut errors = Vec::new();
        finish(email(&self.email, &mut errors), errors)
    }
}

/// The body of `resend-code`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ResendRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, format = Email, max_length = 254))]
    email: Text,
    /// As `register` answered it; without it, the only form that waits is meant.
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<String>, required = false))]
    registration: Text,
}

impl ResendRequest {
    /// The address, and the registration if one is named.
    pub(crate) fn parse(&self) -> Result<(Email, Option<String>), ApiError> {
        let mut errors = Vec::new();
        let email = email(&self.email, &mut errors);
        let handle = handle("registration", &self.registration, &mut errors);
        finish(email.zip(handle), errors)
    }
}

/// The body of `verify-code`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct CodeRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, format = Email, max_length = 254))]
    email: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, pattern = "^[0-9]{6}$"))]
    code: Text,
    /// As `register` answered it; without it, a code counts while a single form waits.
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<String>, required = false))]
    registration: Text,
}

impl CodeRequest {
    /// The address, the registration if one is named, and the code.
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

/// The body of `reset-password`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ResetPasswordRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, format = Email, max_length = 254))]
    email: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, pattern = "^[0-9]{6}$"))]
    code: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
    password: Text,
    /// As `forgot-password` answered it; without it, a code counts while a single request
    /// waits.
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<String>, required = false))]
    request: Text,
}

/// What `reset-password` was sent, once it is valid.
pub(crate) struct ResetPassword {
    pub(crate) email: Email,
    /// The request that is meant, if one is named.
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

/// The body of `change-password`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangePasswordRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
    current_password: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
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

fn email(text: &Text, errors: &mut Vec<FieldError>) -> Option<Email> {
    let email = Email::parse(text.as_str());
    if email.is_none() {
        errors.push(FieldError::new(
            "email",
            "Please enter a valid email address.",
        ));
    }
    email
}

fn code(text: &Text, errors: &mut Vec<FieldError>) -> Option<String> {
    let code = text.as_str().trim();
    if code.len() == CODE && code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(code.to_owned());
    }
    errors.push(FieldError::new("code", "Please enter the 6-digit code."));
    None
}

/// A handle that may be left out. What is no text is refused, and not taken for none:
/// a code would count for another form than the one that was meant.
fn handle(field: &str, text: &Text, errors: &mut Vec<FieldError>) -> Option<Option<String>> {
    match &text.0 {
        Value::Null => Some(None),
        Value::String(handle) if handle.is_empty() => Some(None),
        Value::String(handle) => Some(Some(handle.clone())),
        _ => {
            let message = format!("{field} must be the text that was answered before.");
            errors.push(FieldError::new(field, message));
            None
        }
    }
}

fn password(field: &str, text: &Text, errors: &mut Vec<FieldError>) -> Option<Password> {
    match Password::parse(text.as_str()) {
        Ok(password) => Some(password),
        Err(message) => {
            errors.push(FieldError::new(field, message));
            None
        }
    }
}

fn finish<T>(value: Option<T>, errors: Vec<FieldError>) -> Result<T, ApiError> {
    value.ok_or(ApiError::Invalid(errors))
}
