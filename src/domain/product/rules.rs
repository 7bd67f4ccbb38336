//! The rules of a product's fields and their messages (spec section 5, decisions
//! section 3), the same as the browser's.

use validator::{Validate, ValidationError, ValidationErrors};

use super::fields::Fields;
use super::pricing::Pricing;
use super::{Category, Discount, Lifetime, NewProduct, Offer, Paise};
use crate::domain::FieldError;
use crate::domain::{is_picture_address, is_web_address};

/// The fields with their types right, before their rules.
#[derive(Validate)]
pub(super) struct Candidate {
    #[validate(
        length(min = 2, message = "Title must be at least 2 characters."),
        custom(function = "check_title")
    )]
    pub(super) title: String,
    #[validate(
        length(min = 10, message = "Description must be at least 10 characters."),
        custom(function = "check_description")
    )]
    pub(super) description: String,
    #[validate(custom(function = "check_price"))]
    pub(super) price: f64,
    #[validate(custom(function = "check_discount"))]
    pub(super) discount: f64,
    #[validate(custom(function = "check_category"))]
    pub(super) category: String,
    #[validate(
        length(min = 1, message = "Please enter a source"),
        custom(function = "check_source")
    )]
    pub(super) source: String,
    #[validate(custom(function = "check_link"))]
    pub(super) affiliate_link: String,
    #[validate(
        length(min = 1, message = "At least one image URL is required."),
        custom(function = "check_images")
    )]
    pub(super) images: Vec<String>,
    #[validate(custom(function = "check_average"))]
    pub(super) average_rating: f64,
    #[validate(custom(function = "check_total"))]
    pub(super) total_ratings: f64,
    pricing: Pricing,
    lifetime: Lifetime,
    offers: Vec<Offer>,
}

impl Candidate {
    /// Takes the fields of an added product; `errors` tells of wrong types.
    pub(super) fn take(fields: &mut Fields, errors: &mut Vec<FieldError>) -> Self {
        let pricing = Pricing::take(fields, None, errors);
        Self {
            title: fields.take_text("title", "Title must be text.", errors),
            description: fields.take_text("description", "Description must be text.", errors),
            price: pricing.price,
            discount: pricing.discount,
            category: fields.take_text("category", "Please select a category.", errors),
            source: fields.take_text("source", "Please enter a source", errors),
            affiliate_link: fields.take_text(
                "affiliateLink",
                "Please enter a valid affiliate link URL.",
                errors,
            ),
            images: fields.take_images(errors),
            average_rating: fields.take_number("averageRating"),
            total_ratings: fields.take_number("totalRatings"),
            pricing,
            lifetime: Lifetime::take(fields, None, errors),
            offers: Offer::take(fields, None, errors),
        }
    }

    /// The product, as far as its fields can be stored at all; `errors` gets the rules that
    /// they break.
    pub(super) fn check(self, errors: &mut Vec<FieldError>) -> Option<NewProduct> {
        errors.extend(problems(&self));
        self.into_product()
    }

    fn into_product(self) -> Option<NewProduct> {
        let price = Paise::from_rupees(self.price)?;
        let discount = Discount::from_percent(self.discount)?;
        Some(NewProduct {
            price,
            discount,
            final_price: self.pricing.final_price(price, discount),
            category: Category::parse(&self.category)?,
            total_ratings: whole_number(self.total_ratings)?,
            title: self.title,
            description: self.description,
            source: self.source,
            affiliate_link: self.affiliate_link,
            images: self.images,
            average_rating: self.average_rating,
            lifetime: self.lifetime,
            offers: self.offers,
        })
    }
}

/// The fields of the update form; its rules differ from those of adding (spec
/// section 5).
#[derive(Validate)]
pub(super) struct ChangeCandidate {
    #[validate(
        length(min = 1, message = "Title is required"),
        custom(function = "check_title")
    )]
    pub(super) title: String,
    #[validate(
        length(min = 1, message = "Description is required"),
        custom(function = "check_description")
    )]
    pub(super) description: String,
    #[validate(custom(function = "check_changed_price"))]
    pub(super) price: f64,
    #[validate(custom(function = "check_changed_discount"))]
    pub(super) discount: f64,
    #[validate(
        length(min = 1, message = "Category is required"),
        custom(function = "check_category")
    )]
    pub(super) category: String,
    #[validate(
        length(min = 1, message = "Source is required"),
        custom(function = "check_source")
    )]
    pub(super) source: String,
    #[validate(custom(function = "check_changed_link"))]
    pub(super) affiliate_link: String,
    #[validate(
        length(min = 1, message = "At least one image URL is required."),
        custom(function = "check_images")
    )]
    pub(super) images: Vec<String>,
    #[validate(custom(function = "check_average"))]
    pub(super) average_rating: f64,
    #[validate(custom(function = "check_total"))]
    pub(super) total_ratings: f64,
    pricing: Pricing,
    lifetime: Lifetime,
    offers: Vec<Offer>,
}

impl ChangeCandidate {
    /// Takes the fields of a changed product; images and ratings that are not sent are
    /// those of `current`, where there is one.
    pub(super) fn take(
        fields: &mut Fields,
        current: Option<&NewProduct>,
        errors: &mut Vec<FieldError>,
    ) -> Self {
        let kept = |fields: &Fields, field| current.filter(|_| !fields.0.contains_key(field));
        let images = kept(fields, "images").map(|current| current.images.clone());
        let average = kept(fields, "averageRating").map(|current| current.average_rating);
        let total = kept(fields, "totalRatings").map(|current| current.total_ratings);
        #[expect(clippy::cast_precision_loss, reason = "stored counts are below 2^53")]
        let total = total.map(|total| total as f64);
        let pricing = Pricing::take(fields, current, errors);
        Self {
            title: fields.take_text("title", "Title must be text.", errors),
            description: fields.take_text("description", "Description must be text.", errors),
            price: pricing.price,
            discount: pricing.discount,
            category: fields.take_text("category", "Category is required", errors),
            source: fields.take_text("source", "Source is required", errors),
            affiliate_link: fields.take_text(
                "affiliateLink",
                "Affiliate Link must be a valid URL",
                errors,
            ),
            images: images.unwrap_or_else(|| fields.take_images(errors)),
            average_rating: average.unwrap_or_else(|| fields.take_number("averageRating")),
            total_ratings: total.unwrap_or_else(|| fields.take_number("totalRatings")),
            pricing,
            lifetime: Lifetime::take(fields, current.map(|it| &it.lifetime), errors),
            offers: Offer::take(fields, current.map(|it| it.offers.as_slice()), errors),
        }
    }

    /// As [`Candidate::check`].
    pub(super) fn check(self, errors: &mut Vec<FieldError>) -> Option<NewProduct> {
        errors.extend(problems(&self));
        self.into_product()
    }

    fn into_product(self) -> Option<NewProduct> {
        Candidate {
            title: self.title,
            description: self.description,
            price: self.price,
            discount: self.discount,
            category: self.category,
            source: self.source,
            affiliate_link: self.affiliate_link,
            images: self.images,
            average_rating: self.average_rating,
            total_ratings: self.total_ratings,
            pricing: self.pricing,
            lifetime: self.lifetime,
            offers: self.offers,
        }
        .into_product()
    }
}

/// Every field that breaks a rule of its form, one message each.
fn problems(candidate: &impl Validate) -> Vec<FieldError> {
    candidate
        .validate()
        .err()
        .map(|errors| messages(&errors))
        .unwrap_or_default()
}

fn refuse(message: &'static str) -> ValidationError {
    ValidationError::new("invalid").with_message(message.into())
}

fn require(holds: bool, message: &'static str) -> Result<(), ValidationError> {
    if holds { Ok(()) } else { Err(refuse(message)) }
}

/// U+0000 ends a text in SQLite's own functions. Other control characters do
/// occur in sellers' feeds and do no harm as text.
fn check_text(
    text: &str,
    most: usize,
    too_long: &'static str,
    null: &'static str,
) -> Result<(), ValidationError> {
    require(text.chars().count() <= most, too_long)?;
    require(!text.contains('\0'), null)
}

fn check_title(title: &str) -> Result<(), ValidationError> {
    check_text(
        title,
        500,
        "Title must be at most 500 characters.",
        "Title must not contain null characters.",
    )
}

fn check_description(description: &str) -> Result<(), ValidationError> {
    check_text(
        description,
        10_000,
        "Description must be at most 10000 characters.",
        "Description must not contain null characters.",
    )
}

fn check_source(source: &str) -> Result<(), ValidationError> {
    check_text(
        source,
        100,
        "Source must be at most 100 characters.",
        "Source must not contain null characters.",
    )
}

fn check_price(price: f64) -> Result<(), ValidationError> {
    require(price > 0.0, "Price must be a positive number.")?;
    require(
        price <= 1_000_000_000.0,
        "Price must be at most 1000000000.",
    )?;
    require(
        Paise::from_rupees(price).is_some(),
        "Price must have at most 2 decimals.",
    )
}

fn check_discount(discount: f64) -> Result<(), ValidationError> {
    require(
        (0.0..=100.0).contains(&discount),
        "Discount must be between 0 and 100.",
    )?;
    require(
        Discount::from_percent(discount).is_some(),
        "Discount must have at most 2 decimals.",
    )
}

fn check_changed_price(price: f64) -> Result<(), ValidationError> {
    require(price >= 0.0, "Price must be at least 0")?;
    check_price(price.max(0.01))?;
    require(
        Paise::from_rupees(price).is_some(),
        "Price must have at most 2 decimals.",
    )
}

fn check_changed_discount(discount: f64) -> Result<(), ValidationError> {
    require(discount >= 0.0, "Discount must be at least 0")?;
    check_discount(discount)
}

fn check_changed_link(link: &str) -> Result<(), ValidationError> {
    require(is_web_address(link), "Affiliate Link must be a valid URL")
}

fn check_category(category: &str) -> Result<(), ValidationError> {
    require(
        Category::parse(category).is_some(),
        "Please select a category.",
    )
}

fn check_link(link: &str) -> Result<(), ValidationError> {
    require(
        is_web_address(link),
        "Please enter a valid affiliate link URL.",
    )
}

fn check_images(images: &[String]) -> Result<(), ValidationError> {
    require(images.len() <= 20, "At most 20 images are allowed.")?;
    // Rows of a form in which nothing was typed are no images.
    let is_empty = !images.is_empty() && images.iter().all(String::is_empty);
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
        whole_number(total).is_some_and(|total| total > 0),
        "Total ratings must be a positive integer.",
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

/// The first message of each field, under the field's name on the wire.
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
