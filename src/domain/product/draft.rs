//! Unvalidated product details, and their validation.

use std::fmt;

use jiff::Timestamp;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::NewProduct;
use super::fields::kept_fields;
use super::rules::{Form, TypedProduct};
use super::sent_fields::SentFields;
use crate::domain::{Categories, FieldError, truncate};

/// Maximum number of characters of an invalid value that are repeated.
const EXCERPT: usize = 60;

/// Fields of an export besides [`NewProduct::field_names`]; all others are ignored.
pub(crate) const EXPORT_FIELDS: [&str; 5] =
    ["_id", "clicks", "createdAt", "publishedAt", "updatedAt"];

fn known_fields() -> impl Iterator<Item = &'static str> {
    NewProduct::field_names().chain(EXPORT_FIELDS)
}

/// A JSON object of product fields, before validation.
///
/// Ratings may be flat (`averageRating`, `totalRatings`) or nested under `ratings`. A wrong type is
/// reported as an error of its field, not of the whole document. A repeated key is an error.
#[derive(Debug, Clone, Default)]
pub struct ProductDraft {
    fields: SentFields,
    repeated: Vec<String>,
    not_an_object: bool,
}

/// A valid product of an import file, with the fields that exports add.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ImportedProduct {
    pub details: NewProduct,
    pub id: Option<String>,
    pub clicks: Option<i64>,
    pub created_at: Option<Timestamp>,
    pub published_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
    /// Bits of the fields that may be left out (`kept_fields`) and are given; the others keep the values
    /// of an existing product.
    pub given: i64,
}

impl ProductDraft {
    /// Makes a draft of fields by their wire names.
    pub fn from_fields(fields: Map<String, Value>) -> Self {
        Self {
            fields: SentFields(fields),
            ..Self::default()
        }
    }

    /// Returns the fields that were sent, in the order of the form.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        known_fields().filter_map(|name| Some((name, self.fields.0.get(name)?)))
    }

    /// Returns a text that was sent, without spaces around it; none if it is empty.
    pub fn text(&self, field: &str) -> Option<&str> {
        let text = self.fields.0.get(field)?.as_str()?.trim();
        Some(text).filter(|text| !text.is_empty())
    }

    /// Replaces the category.
    pub fn set_category(&mut self, name: &str) {
        self.fields.0.insert("category".to_owned(), name.into());
    }

    /// True if a text field is missing or empty.
    pub fn lacks(&self, field: &str) -> bool {
        let given = self.fields.0.get(field).unwrap_or(&Value::Null);
        given.is_null() || given.as_str().is_some_and(|text| text.trim().is_empty())
    }

    /// Sets a text field that is missing or empty.
    pub fn set_missing(&mut self, field: &str, value: &str) {
        if self.lacks(field) {
            self.fields.0.insert(field.to_owned(), value.into());
        }
    }

    /// Validates an added product (spec section 5, decisions section 3). Without any rating it counts as
    /// not rated.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid field, in the order of the form.
    pub fn into_product(mut self, categories: &Categories) -> Result<NewProduct, Vec<FieldError>> {
        let mut errors = self.structure_errors()?;
        self.complete_ratings();
        let product = self.check(Form::Add, None, categories, &mut errors);
        value_or_errors(product, errors)
    }

    /// Validates an imported product: as an added one, plus `_id`, `clicks`, `createdAt` and
    /// `updatedAt` if given.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid field, in the order of the form.
    pub fn into_imported(
        mut self,
        categories: &Categories,
    ) -> Result<ImportedProduct, Vec<FieldError>> {
        let mut errors = self.structure_errors()?;
        errors.extend(self.category_error(categories));
        let given = kept_fields().filter(|(field, _)| self.fields.0.contains_key(field.name));
        let given = given.map(|(_, bit)| bit).sum();
        let id = self.fields.take_id(&mut errors);
        let clicks = self.fields.take_clicks(&mut errors);
        let created_at = self.fields.take_time("createdAt", &mut errors);
        let published_at = self.fields.take_time("publishedAt", &mut errors);
        let updated_at = self.fields.take_time("updatedAt", &mut errors);
        // A row with an `_id` comes from an export, so the wider rules of updates apply.
        let form = if id.is_some() {
            Form::Update
        } else {
            Form::Add
        };
        self.complete_ratings();
        let details = self.check(form, None, categories, &mut errors);
        value_or_errors(
            details.map(|details| ImportedProduct {
                details,
                id,
                clicks,
                created_at,
                published_at,
                updated_at,
                given,
            }),
            errors,
        )
    }

    /// Sets both ratings to 0 if neither is given.
    fn complete_ratings(&mut self) {
        let fields = &mut self.fields.0;
        if RATINGS
            .iter()
            .all(|name| fields.get(*name).is_none_or(Value::is_null))
        {
            fields.extend(RATINGS.map(|name| (name.to_owned(), 0.into())));
        }
    }

    /// Validates a changed product (spec section 5). Missing images and ratings keep the values of
    /// `current`.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid field, in the order of the form.
    pub fn into_changed(
        mut self,
        current: &NewProduct,
        categories: &Categories,
    ) -> Result<NewProduct, Vec<FieldError>> {
        let mut errors = self.structure_errors()?;
        let changed = self.check(Form::Update, Some(current), categories, &mut errors);
        value_or_errors(changed, errors)
    }

    fn check(
        &mut self,
        form: Form,
        current: Option<&NewProduct>,
        categories: &Categories,
        errors: &mut Vec<FieldError>,
    ) -> Option<NewProduct> {
        let missing: Vec<&str> = NewProduct::field_names()
            .filter(|field| self.fields.0.get(*field).is_none_or(Value::is_null))
            .filter(|field| !NAMED_AS_MISSING.contains(field))
            .collect();
        let product = TypedProduct::from_sent(&mut self.fields, form, current, categories, errors)
            .check(form, errors);
        for error in errors {
            if missing.contains(&error.field.as_str()) {
                *error = FieldError::missing(error.field.as_str());
            }
        }
        product
    }

    /// Returns the `_id`, if given; a change must not name another product.
    pub fn id(&self) -> Option<&str> {
        self.fields.0.get("_id")?.as_str()
    }

    /// True if offers were sent, which counts as a check of them.
    pub fn has_offers(&self) -> bool {
        self.fields.0.contains_key("offers")
    }

    /// Returns the `updatedAt`, if given: the version that the change is based on.
    ///
    /// # Errors
    ///
    /// Returns an error if it is no time.
    pub fn version(&mut self) -> Result<Option<Timestamp>, Vec<FieldError>> {
        let mut errors = Vec::new();
        let version = self.fields.take_time("updatedAt", &mut errors);
        if errors.is_empty() {
            Ok(version)
        } else {
            Err(errors)
        }
    }

    /// Returns an error that names the value of a category that is none, for files of any origin.
    fn category_error(&self, categories: &Categories) -> Option<FieldError> {
        let value = self.fields.0.get("category").unwrap_or(&Value::Null);
        if value
            .as_str()
            .is_some_and(|name| categories.find(name.trim()).is_some())
        {
            return None;
        }
        let given = match value {
            Value::Null => "The category is missing.".to_owned(),
            value => format!(
                "{} is not a category.",
                truncate(&value.to_string(), EXCERPT)
            ),
        };
        let message = format!("{given} Write {}.", categories.names(" or "));
        Some(FieldError::new("category", message))
    }

    /// Returns an error for each repeated key; fails if the value is no object.
    fn structure_errors(&self) -> Result<Vec<FieldError>, Vec<FieldError>> {
        if self.not_an_object {
            return Err(vec![FieldError::new(
                "product",
                "A product must be a JSON object.",
            )]);
        }
        Ok(self
            .repeated
            .iter()
            .map(|key| FieldError::new(key, format!("{key} is given more than once.")))
            .collect())
    }
}

fn value_or_errors<T>(value: Option<T>, mut errors: Vec<FieldError>) -> Result<T, Vec<FieldError>> {
    match value {
        Some(value) if errors.is_empty() => Ok(value),
        _ => {
            // A wrong type also violates the field's rule; keep the first error, which names the
            // type.
            errors.sort_by_key(|error| position(&error.field));
            errors.dedup_by(|b, a| a.field == b.field);
            Err(errors)
        }
    }
}

fn position(field: &str) -> usize {
    let name = field.split('[').next().unwrap_or(field);
    known_fields()
        .position(|known| known == name)
        .unwrap_or(usize::MAX)
}

/// Fields whose rule has the specification's sentence for a missing one.
const NAMED_AS_MISSING: [&str; 3] = ["category", "source", "images"];
const RATINGS: [&str; 2] = ["averageRating", "totalRatings"];

impl<'de> Deserialize<'de> for ProductDraft {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DraftVisitor)
    }
}

struct DraftVisitor;

impl DraftVisitor {
    fn not_an_object<E>() -> Result<ProductDraft, E> {
        Ok(ProductDraft {
            not_an_object: true,
            ..ProductDraft::default()
        })
    }
}

impl<'de> Visitor<'de> for DraftVisitor {
    type Value = ProductDraft;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a product as a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ProductDraft, A::Error> {
        let mut draft = ProductDraft::default();
        let mut ratings = ProductDraft::default();
        let mut nested = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == "ratings" {
                if std::mem::replace(&mut nested, true) {
                    draft.repeated.push(key);
                }
                ratings = map.next_value()?;
            } else if known_fields().any(|known| known == key) {
                if draft
                    .fields
                    .0
                    .insert(key.clone(), map.next_value()?)
                    .is_some()
                    && !draft.repeated.contains(&key)
                {
                    draft.repeated.push(key);
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        for field in RATINGS {
            let Some(value) = ratings.fields.0.remove(field) else {
                continue;
            };
            let flat = draft.fields.0.entry(field).or_insert_with(|| value.clone());
            if *flat != value {
                draft.repeated.push(field.to_owned());
            }
        }
        draft.repeated.append(&mut ratings.repeated);
        Ok(draft)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_unit<E: de::Error>(self) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<ProductDraft, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Self::not_an_object()
    }
}
