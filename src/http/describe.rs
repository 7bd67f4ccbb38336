//! Descriptions of calls, made of what their handlers take and of a few words in their routes.
//!
//! Only the test of `api/openapi` runs this code, so the program does not contain it.

use actix_web::{HttpRequest, web};
use utoipa::openapi::content::Content;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::response::Response;
use utoipa::openapi::schema::{Array, Object, Schema, Type};
use utoipa::openapi::{Ref, RefOr, Required};
use utoipa::{IntoParams, ToSchema};

use super::error::ErrorBody;
use crate::domain::Scope;

/// Callers that a call accepts.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    #[default]
    Everybody,
    /// Everybody; staff, and keys with this scope, see more.
    EverybodyAnd(Scope),
    /// Accounts, for their own affairs.
    Account,
    /// Administrators and editors, and keys with this scope.
    Staff(Option<Scope>),
    /// Administrators.
    Admin,
}

/// Description of a call.
#[derive(Default)]
pub(crate) struct Call {
    pub(crate) access: Access,
    pub(crate) operation: Operation,
    /// Every schema that the operation refers to.
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
}

impl Call {
    /// Describes the body as one media type; the last description of each holds.
    pub(crate) fn body<T: ToSchema>(&mut self, kind: &str) {
        let content = Content::new(Some(self.schema::<T>()));
        let body = self.request_body();
        body.content.insert(kind.to_owned(), content.into());
    }

    /// Describes the body as a list in JSON.
    pub(crate) fn list<T: ToSchema>(&mut self) {
        let items = Array::new(self.schema::<T>());
        let body = self.request_body();
        let content = Content::new(Some(Schema::Array(items)));
        body.content.insert(JSON.to_owned(), content.into());
    }

    pub(crate) fn request_body(&mut self) -> &mut RequestBody {
        let mut required = RequestBody::new();
        required.required = Some(Required::True);
        let body = self.operation.request_body.get_or_insert(required.into());
        match body {
            RefOr::T(body) => body,
            RefOr::Ref(_) => unreachable!("no body is a reference"),
        }
    }

    /// Describes an answer.
    pub(crate) fn answer(&mut self, status: u16, description: &str) -> &mut Response {
        let all = &mut self.operation.responses.responses;
        let answer = all.entry(status.to_string());
        match answer.or_insert_with(|| Response::new(description).into()) {
            RefOr::T(answer) => answer,
            RefOr::Ref(_) => unreachable!("no answer is a reference"),
        }
    }

    /// Describes a refusal, unless the call describes this status itself.
    pub(crate) fn refusal(&mut self, status: u16, description: &str) {
        if !self
            .operation
            .responses
            .responses
            .contains_key(&status.to_string())
        {
            self.content::<ErrorBody<'_>>(status, description, JSON);
        }
    }

    /// Describes an answer of JSON, or of another type.
    pub(crate) fn content<T: ToSchema>(&mut self, status: u16, description: &str, kind: &str) {
        let schema = self.schema::<T>();
        let response = self.answer(status, description);
        let content = Content::new(Some(schema));
        response.content.insert(kind.to_owned(), content.into());
    }

    /// Describes the parameters of a query or of headers.
    pub(crate) fn parameters<T: IntoParams>(&mut self) {
        let parameters = T::into_params(|| None);
        let all = self.operation.parameters.get_or_insert_default();
        all.extend(parameters.into_iter().map(RefOr::T));
    }

    /// Describes a part of the path.
    pub(crate) fn part(&mut self, name: &str, description: &str) {
        let parameter: Parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(description))
            .schema(Some(Object::with_type(Type::String)))
            .build();
        let all = self.operation.parameters.get_or_insert_default();
        all.push(parameter.into());
    }

    /// Returns a reference to the schema of a type with fields, or the schema itself.
    pub(crate) fn schema<T: ToSchema>(&mut self) -> RefOr<Schema> {
        let schema = T::schema();
        T::schemas(&mut self.schemas);
        match &schema {
            RefOr::T(Schema::Object(object)) if !object.properties.is_empty() => {}
            RefOr::T(Schema::AllOf(_) | Schema::OneOf(_)) => {}
            _ => return schema,
        }
        self.schemas.push((T::name().into(), schema));
        Ref::from_schema_name(T::name()).into()
    }
}

/// Media type of bodies and answers.
pub(crate) const JSON: &str = "application/json";

/// An argument of a handler, as far as the description of its call shows it.
pub(crate) trait Described {
    fn describe(_call: &mut Call) {}
}

impl<T> Described for web::Data<T> {}
impl<T> Described for web::Path<T> {}
impl Described for web::Payload {}
impl Described for HttpRequest {}

impl<T: IntoParams> Described for web::Query<T> {
    fn describe(call: &mut Call) {
        call.parameters::<T>();
    }
}

macro_rules! describe_arguments {
    ($($argument:ident)*) => {
        impl<$($argument: Described),*> Described for ($($argument,)*) {
            fn describe(_call: &mut Call) {
                $($argument::describe(_call);)*
            }
        }
    };
}

describe_arguments!();
describe_arguments!(A);
describe_arguments!(A B);
describe_arguments!(A B C);
describe_arguments!(A B C D);
describe_arguments!(A B C D E);
describe_arguments!(A B C D E F);
describe_arguments!(A B C D E F G);
