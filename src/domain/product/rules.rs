//! Validation rules of product fields, with messages (spec section 5, decisions section 3);
//! mirrored by the front end.

use validator::{Validate, ValidateArgs as _, ValidationError, ValidationErrors};

use super::fields::{DESCRIPTION, Length, SOURCE, TITLE};
use super::pricing::Pricing;
use super::sent_fields::SentFields;
use super::tags::tags_from_sent;
use super::{Discount, Lifetime, Lines, NewProduct, Offer, Paise};
use crate::domain::field_error::{FieldError, refuse, require};
use crate::domain::{
    CONSTANTS, Categories, Category, is_picture_address, is_web_address, without_controls,
};

/// The form sent; updating has other rules than adding (spec section 5).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Add,
    Update,
}

impl Form {
    fn choose<T>(self, add: T, update: T) -> T {
        match self {
            Self::Add => add,
            Self::Update => update,
        }
    }
}

/// Typed fields before validation.
#[derive(Validate)]
#[validate(context = Form)]
pub(super) struct TypedProduct {
    #[validate(custom(function = "check_title", use_context))]
    title: String,
    #[validate(custom(function = "check_description", use_context))]
    description: String,
    #[validate(custom(function = "check_price", use_context))]
    price: f64,
    #[validate(custom(function = "check_discount", use_context))]
    discount: f64,
    category: Result<Category, &'static str>,
    #[validate(custom(function = "check_source", use_context))]
    source: String,
    #[validate(custom(function = "check_link", use_context))]
    affiliate_link: String,
    #[validate(custom(function = "check_images"))]
    images: Vec<String>,
    #[validate(custom(function = "check_average"))]
    average_rating: f64,
    #[validate(custom(function = "check_total"))]
    total_ratings: f64,
    pricing: Pricing,
    lifetime: Lifetime,
    offers: Vec<Offer>,
    tags: Vec<String>,
    lines: Lines,
}

impl TypedProduct {
    /// Parses the fields of a form; missing images and ratings keep the values of `current`. Adds
    /// fields of a wrong type to `errors`.
    pub(super) fn from_sent(
        fields: &mut SentFields,
        form: Form,
        current: Option<&NewProduct>,
        categories: &Categories,
        errors: &mut Vec<FieldError>,
    ) -> Self {
        let kept = |fields: &SentFields, field| current.filter(|_| !fields.0.contains_key(field));
        let images = kept(fields, "images").map(|current| current.images.clone());
        let average = kept(fields, "averageRating").map(|current| current.average_rating);
        let total = kept(fields, "totalRatings").map(|current| current.total_ratings);
        #[expect(clippy::cast_precision_loss, reason = "stored counts are below 2^53")]
        let total = total.map(|total| total as f64);
        let pricing = Pricing::from_sent(fields, current, errors);
        let mut text = |field, message| fields.take_text(field, message, errors);
        let plain = |text: String| without_controls(&text).trim().to_owned();
        Self {
            title: plain(text("title", "Title must be text.")),
            description: plain(text("description", "Description must be text.")),
            category: find_category(
                &text("category", form.choose(NO_CATEGORY, "Category is required")),
                form,
                categories,
            ),
            source: plain(text("source", form.choose(NO_SOURCE, "Source is required")))
                .replace('\n', " "),
            affiliate_link: text("affiliateLink", form.choose(NO_LINK, NOT_A_LINK)),
            price: pricing.price,
            discount: pricing.discount,
            images: images.unwrap_or_else(|| fields.take_images(errors)),
            average_rating: average.unwrap_or_else(|| fields.take_number("averageRating")),
            total_ratings: total.unwrap_or_else(|| fields.take_number("totalRatings")),
            pricing,
            lifetime: Lifetime::from_sent(fields, current.map(|it| &it.lifetime), errors),
            offers: Offer::list_from_sent(fields, current.map(|it| it.offers.as_slice()), errors),
            tags: tags_from_sent(fields, current, errors),
            lines: Lines::from_sent(fields, current, errors),
        }
    }

    /// Validates the fields and adds one error per invalid one to `errors`; `None` if a value
    /// cannot be represented.
    pub(super) fn check(self, form: Form, errors: &mut Vec<FieldError>) -> Option<NewProduct> {
        let broken = self.validate_with_args(&form);
        if let Err(message) = &self.category {
            errors.push(FieldError::new("category", *message));
        }
        if let Err(broken) = broken {
            errors.extend(messages(&broken));
        } else if self.category.is_ok() && self.total_ratings == 0.0 && self.average_rating > 0.0 {
            errors.push(FieldError::new("totalRatings", TOO_FEW_RATINGS));
        }
        let price = Paise::from_rupees(self.price)?;
        let discount = Discount::from_percent(self.discount)?;
        Some(NewProduct {
            price,
            discount,
            final_price: self.pricing.final_price(price, discount),
            category: self.category.ok()?,
            total_ratings: whole_number(self.total_ratings)?,
            title: self.title,
            description: self.description,
            source: self.source,
            affiliate_link: self.affiliate_link,
            images: self.images,
            average_rating: self.average_rating,
            lifetime: self.lifetime,
            offers: self.offers,
            tags: self.tags,
            lines: self.lines,
        })
    }
}

const TOO_FEW_RATINGS: &str = "Total ratings must be a positive integer.";
const NO_CATEGORY: &str = "Please select a category.";
const NO_SOURCE: &str = "Please enter a source";
const NO_LINK: &str = "Please enter a valid affiliate link URL.";
const NOT_A_LINK: &str = "Affiliate Link must be a valid URL";

/// Checks length in characters, and rejects U+0000, which ends a text in SQLite's functions. Other
/// control characters occur in sellers' feeds and are harmless.
fn check_text(
    name: &str,
    text: &str,
    (least, too_short): (usize, &'static str),
    Length { most, .. }: Length,
) -> Result<(), ValidationError> {
    let length = text.chars().count();
    require(length >= least, too_short)?;
    if length > most {
        return Err(refuse(format!("{name} must be at most {most} characters.")));
    }
    if text.contains('\0') {
        return Err(refuse(format!("{name} must not contain null characters.")));
    }
    Ok(())
}

fn check_title(title: &str, form: &Form) -> Result<(), ValidationError> {
    let least = form.choose(
        (TITLE.least, "Title must be at least 2 characters."),
        (1, "Title is required"),
    );
    check_text("Title", title, least, TITLE)
}

fn check_description(description: &str, form: &Form) -> Result<(), ValidationError> {
    let least = form.choose(
        (
            DESCRIPTION.least,
            "Description must be at least 10 characters.",
        ),
        (1, "Description is required"),
    );
    check_text("Description", description, least, DESCRIPTION)
}

fn check_source(source: &str, form: &Form) -> Result<(), ValidationError> {
    let least = (1, form.choose(NO_SOURCE, "Source is required"));
    check_text("Source", source, least, SOURCE)
}

fn check_price(price: f64, form: &Form) -> Result<(), ValidationError> {
    match form {
        Form::Add => require(price > 0.0, "Price must be a positive number.")?,
        Form::Update => require(price >= 0.0, "Price must be at least 0")?,
    }
    require(
        price <= CONSTANTS.max_price,
        "Price must be at most 1,00,00,00,000.",
    )?;
    require(
        Paise::from_rupees(price).is_some(),
        "Price must have at most 2 decimals.",
    )
}

fn check_discount(discount: f64, form: &Form) -> Result<(), ValidationError> {
    if *form == Form::Update {
        require(discount >= 0.0, "Discount must be at least 0")?;
    }
    require(
        (0.0..=100.0).contains(&discount),
        "Discount must be between 0 and 100.",
    )?;
    require(
        Discount::from_percent(discount).is_some(),
        "Discount must have at most 2 decimals.",
    )
}

fn find_category(
    name: &str,
    form: Form,
    categories: &Categories,
) -> Result<Category, &'static str> {
    if name.is_empty() {
        return Err(form.choose(NO_CATEGORY, "Category is required"));
    }
    categories.find(name).cloned().ok_or(NO_CATEGORY)
}

fn check_link(link: &str, form: &Form) -> Result<(), ValidationError> {
    require(is_web_address(link), form.choose(NO_LINK, NOT_A_LINK))
}

fn check_images(images: &[String]) -> Result<(), ValidationError> {
    require(!images.is_empty(), "At least one image URL is required.")?;
    require(
        images.len() <= CONSTANTS.max_images,
        "At most 20 pictures are allowed.",
    )?;
    // Empty rows of the form are no images.
    let is_empty = images.iter().all(String::is_empty);
    require(!is_empty, "At least one image URL is required.")?;
    match images.iter().position(|image| !is_picture_address(image)) {
        None => Ok(()),
        Some(index) => {
            let mut error = refuse("Please enter a valid image URL.");
            error.add_param("index".into(), &index);
            Err(error)
        }
    }
}

fn check_average(average: f64) -> Result<(), ValidationError> {
    require(
        (0.0..=5.0).contains(&average),
        "Average rating must be between 0 and 5.",
    )
}

fn check_total(total: f64) -> Result<(), ValidationError> {
    require(
        whole_number(total).is_some_and(|total| total >= 0),
        TOO_FEW_RATINGS,
    )
}

fn whole_number(value: f64) -> Option<i64> {
    const EXACT_UP_TO: f64 = 9_007_199_254_740_991.0;
    let whole = value.fract() == 0.0 && value.abs() <= EXACT_UP_TO;
    if !whole {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number below 2^53, checked above"
    )]
    let whole = value as i64;
    Some(whole)
}

/// Returns the first message of each field, by wire name.
fn messages(errors: &ValidationErrors) -> Vec<FieldError> {
    errors
        .field_errors()
        .iter()
        .filter_map(|(field, errors)| {
            let first = errors.first()?;
            let name = match (field.as_ref(), first.params.get("index")) {
                ("affiliate_link", _) => "affiliateLink".to_owned(),
                ("average_rating", _) => "averageRating".to_owned(),
                ("total_ratings", _) => "totalRatings".to_owned(),
                (name, Some(index)) => format!("{name}[{index}]"),
                (name, None) => name.to_owned(),
            };
            let message = first.message.clone().unwrap_or_default();
            Some(FieldError::new(name, message))
        })
        .collect()
}
