//! Preview pictures, the product's own or a generated one, and icons.

mod bitmap;
mod canvas;
mod card;
mod icon;
mod letters;
mod outline;
mod sky;

use std::sync::{Mutex, PoisonError};

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use percent_encoding::utf8_percent_encode;
use url::Url;

use self::card::Card;
pub(super) use self::icon::Icon;
use super::routes::picture_address;
use crate::domain::{PictureName, Product};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::{COMPONENT, Shelf, Storefront, absolute};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/share.png", shop_picture),
        get("/share/{id}.png", product_picture),
        get("/icon/{name}.png", icon),
        get("/favicon.ico", favicon),
        get("/apple-touch-icon.png", touch_icon),
        get("/apple-touch-icon-precomposed.png", touch_icon),
    ]
}

const PNG: &str = "image/png";
/// Picture formats that not every messenger shows; small WebP files like the shop's own are shown by all.
const UNSUPPORTED: [&str; 5] = [".svg", ".svgz", ".avif", ".heic", ".webp"];

/// A picture; one of the shop with its size in pixels, as others are never fetched.
pub(super) struct Picture {
    pub(super) address: Url,
    /// Text for those who do not see it.
    pub(super) alt: String,
    pub(super) size: Option<(u16, u16)>,
}

impl Picture {
    /// Returns the product's first picture by https that messengers can show and no browser failed to
    /// load.
    pub(super) fn of_product(
        public_url: &Url,
        product: &Product,
        missing: &[String],
    ) -> Option<Self> {
        Self::all_of(public_url, product, missing)
            .find(|picture| picture.address.scheme() == "https")
    }

    /// Returns the product's first picture for a feed reader, one by https if there is any.
    pub(super) fn in_feed(public_url: &Url, product: &Product) -> Option<Self> {
        Self::of_product(public_url, product, &[])
            .or_else(|| Self::all_of(public_url, product, &[]).next())
    }

    /// True for the sizes that social networks show above the text.
    pub(super) fn is_large(&self) -> bool {
        self.size
            .is_some_and(|(width, height)| width >= 300 && height >= 157)
    }

    fn all_of(
        public_url: &Url,
        product: &Product,
        missing: &[String],
    ) -> impl Iterator<Item = Self> {
        let images = product.details.images.iter();
        images.filter_map(move |image| {
            let address = public_url.join(picture_address(image)?).ok()?;
            let path = address.path().to_ascii_lowercase();
            let is_own = address.origin() == public_url.origin();
            let own = PictureName::in_address(address.path()).filter(|_| is_own);
            let is_supported =
                own.is_some() || !UNSUPPORTED.iter().any(|ending| path.ends_with(ending));
            let size =
                own.and_then(|own| Some((own.width.try_into().ok()?, own.height.try_into().ok()?)));
            (is_supported && !missing.contains(image)).then_some(Self {
                address,
                alt: product.details.title.clone(),
                size,
            })
        })
    }

    pub(super) fn generated(public_url: &Url, front: &Storefront, product: &Product) -> Self {
        let id = utf8_percent_encode(&product.id, COMPONENT);
        let path = format!("/share/{id}.png");
        let alt = product.details.title.clone();
        Self::of_card(public_url, &path, &Card::of_product(front, product), alt)
    }

    pub(super) fn of_shop(public_url: &Url, front: &Storefront) -> Self {
        let alt = front.name().to_owned();
        Self::of_card(public_url, "/share.png", &Card::of_shop(front), alt)
    }

    /// Returns the picture of a list that has one by https.
    pub(super) fn of_shelf(public_url: &Url, shelf: &Shelf) -> Option<Self> {
        let address = public_url.join(shelf.picture.as_deref()?).ok()?;
        (address.scheme() == "https").then(|| Self {
            address,
            alt: shelf.name.clone(),
            size: None,
        })
    }

    /// Messengers cache a picture by its address, so it changes with the content.
    fn of_card(public_url: &Url, path: &str, card: &Card<'_>, alt: String) -> Self {
        Self {
            address: absolute(public_url, &format!("{path}?v={}", card.version())),
            alt,
            size: Some((card::WIDTH, card::HEIGHT)),
        }
    }
}

/// `GET /share/{id}.png`: the generated picture of a product.
pub(crate) async fn product_picture(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    drawn(&state, &request, move |store, front| {
        let mut product = store.find_public_product(&id)?;
        front.apply_rules([&mut product]);
        Card::of_product(front, &product).draw()
    })
    .await
}

/// `GET /share.png`: the generated picture of the shop.
pub(crate) async fn shop_picture(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    drawn(&state, &request, |_, front| Card::of_shop(front).draw()).await
}

/// `GET /icon/{name}.png`: an icon of the shop.
pub(crate) async fn icon(
    state: web::Data<AppState>,
    request: HttpRequest,
    name: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let icon = Icon::of_name(&name).ok_or(ApiError::UnknownPath)?;
    drawn(&state, &request, move |_, front| icon.draw(front)).await
}

/// `GET /favicon.ico`, which browsers and feed readers ask for unasked; they read PNG there too.
pub(crate) async fn favicon(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    drawn(&state, &request, |_, front| Icon::Favicon.draw(front)).await
}

/// `GET /apple-touch-icon.png`, which iPhones ask for unasked.
pub(crate) async fn touch_icon(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    drawn(&state, &request, |_, front| Icon::Touch.draw(front)).await
}

/// Answers with a generated PNG file, one at a time.
async fn drawn(
    state: &AppState,
    request: &HttpRequest,
    draw: impl FnOnce(&Store, &Storefront) -> Result<Vec<u8>, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    /// Drawing takes up to 50 MB if the logo is large.
    static DRAWING: Mutex<()> = Mutex::new(());
    let shared = state.clone();
    cached(state, request, move |store| {
        let _one_at_a_time = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        let front = shared.storefronts().current(store)?;
        Ok(Content::new(StatusCode::OK, PNG, draw(store, &front)?))
    })
    .await
}
