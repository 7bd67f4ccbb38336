//! Calls about the owner's settings.

pub(crate) mod address;
pub(crate) mod backups;
pub(crate) mod copy;
pub(crate) mod offers;
pub(crate) mod sellers;
pub(crate) mod server;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use url::Url;
use utoipa::ToSchema;

use super::permissions::Admin;
use super::products::cards::HomeResponse;
use crate::domain::{
    Colour, CustomSeller, Palette, Preset, Programme, Section, SettingsChange, ShopSettings,
    SourceRules, without_shop,
};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, post, put};
use crate::http::serving::cached::cached_front;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::{SettingsError, Store};
use crate::storefront::markdown::to_html;
use crate::storefront::{ShopBody, Storefront};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/settings", get_settings)
            .summary("Returns the public settings.")
            .answers::<SettingsResponse<'_>>("The settings")
            .or_unchanged(),
        put("/settings", change_settings)
            // The handler asks for one, unless nothing but looks is changed.
            .without_code()
            .summary("Changes settings, unless they were changed since they were read.")
            .details(
                "Takes `{\"version\": n, …}` with those to change. `\"mark\"` is a `data:` URL, \
                 `\"page.SLUG\"` Markdown that begins with `# Title`, `\"source.NAME\"` a preset \
                 (`open`, `amazon-india`), an object of rules or null, `\"tag.NAME\"` the tag in a \
                 seller's links, `\"shops\"` the owner's own shops, `\"frontPage\"` the sections of \
                 the home page; an empty text removes a setting.",
            )
            .answers::<SettingsResponse<'_>>("The new settings")
            .refuses(409, "Changed by somebody else meanwhile"),
        post("/settings/front-page/preview", preview_front_page)
            .without_code()
            .summary("Returns what the home page would show with these sections, and changes nothing.")
            .answers::<HomeResponse<'_>>("The content around the list"),
        get("/settings/pages/{slug}", get_page)
            .summary("Returns one of the owner's pages.")
            .part("slug", "Slug of the page")
            .answers::<PageResponse<'_>>("The page")
            .refuses(404, "Not found")
            .or_unchanged(),
        get("/settings/drafts/{slug}", get_draft)
            .summary(
                "Returns the template of a page: it describes what this program stores and does.",
            )
            .part("slug", "about, privacy, terms or contact")
            .answers::<PageResponse<'_>>("The draft")
            .refuses(404, "Not found")
            .or_unchanged(),
        get("/settings/palette/{colour}", get_palette)
            .summary("Returns the colours derived from an accent, readable in both themes.")
            .part("colour", "Six hexadecimal digits, like 1a56b0")
            .answers::<Palette>("The colours of both themes"),
        get("/settings/sources", list_sources)
            .summary(
                "Returns the rules of each seller. `PUT /settings` changes them as `source.NAME`.",
            )
            .answers::<SourcesResponse>("The sellers, by name"),
    ]
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsResponse<'a> {
    shop: ShopBody<'a>,
    /// Accent colour chosen by the owner, like #1a56b0
    #[schema(required = true)]
    accent: Option<Colour>,
    /// Whether the owner uploaded a logo
    own_mark: bool,
    /// The owner's words for the same thing: lines like `saree = sari`, or `kurta > kurti` for a kind
    same_words: &'a str,
    /// Sections of the home page in the place of the usual ones; none by default
    front_page: &'a [Section],
    /// Hour in India at which mails of new deals go out
    digest_hour: i64,
    /// Slugs of the pages with a template
    drafts: Vec<&'static str>,
    /// Version to send with a change
    version: i64,
}

impl<'a> From<&'a Storefront> for SettingsResponse<'a> {
    fn from(front: &'a Storefront) -> Self {
        let settings = &front.settings;
        Self {
            shop: front.body(),
            accent: settings.shop.accent,
            own_mark: settings.logo.is_some(),
            same_words: &settings.shop.same_words,
            front_page: &settings.shop.front_page,
            digest_hour: settings.shop.hour_of_digests(),
            drafts: ShopSettings::drafts().collect(),
            version: settings.version,
        }
    }
}

/// A page's text, or a template.
#[derive(Serialize, ToSchema)]
pub(crate) struct PageResponse<'a> {
    slug: &'a str,
    title: &'a str,
    /// Markdown
    text: &'a str,
    html: String,
}

impl<'a> PageResponse<'a> {
    pub(crate) fn new(page: &'a crate::domain::ShopPage) -> Self {
        Self {
            slug: &page.slug,
            title: &page.title,
            text: &page.text,
            html: to_html(&page.text),
        }
    }
}

const NO_PAGE: ApiError = ApiError::NotFound("There is no such page.");

pub(crate) async fn get_settings(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    cached_front(&state, &request, |front| {
        Content::json(&SettingsResponse::from(front))
    })
    .await
}

pub(crate) async fn get_page(
    state: web::Data<AppState>,
    request: HttpRequest,
    slug: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    cached_front(&state, &request, move |front| {
        let page = front.settings.shop.page(&slug).ok_or(NO_PAGE)?;
        Content::json(&PageResponse::new(page))
    })
    .await
}

pub(crate) async fn get_draft(
    state: web::Data<AppState>,
    request: HttpRequest,
    slug: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    cached_front(&state, &request, move |front| {
        let draft = front.settings.shop.draft(&slug, &front.disclosure);
        Content::json(&PageResponse::new(&draft.ok_or(NO_PAGE)?))
    })
    .await
}

pub(crate) async fn get_palette(colour: web::Path<String>) -> Result<HttpResponse, ApiError> {
    match Colour::parse(&format!("#{colour}")) {
        Some(colour) => Ok(HttpResponse::Ok().json(Palette::from_accent(colour))),
        None => Err(ApiError::invalid(
            "accent",
            "The accent must be a colour like #1a56b0.",
        )),
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SourcesResponse {
    data: Vec<SourceBody>,
    /// Shops that the owner added
    shops: Vec<CustomSeller>,
    /// Version to send with a change
    version: i64,
}

#[derive(Serialize, ToSchema)]
struct SourceBody {
    source: String,
    products: i64,
    /// Rules of what may be shown
    #[schema(value_type = SourceRules)]
    rules: SourceRules,
    /// The affiliate's tag in the seller's links; empty without one
    tag: String,
    /// Without a tag of its own: that of another name of the same shop, which its links have
    #[serde(rename = "sharedTag", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    shared_tag: Option<String>,
    /// Why its links can't carry a tag; omitted if they can
    #[serde(rename = "noTag", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    no_tag: Option<String>,
    /// Number of offers for all its deals or some of them
    offers: usize,
    /// Whether the owner chose the rules
    chosen: bool,
    /// Preset for the seller's programme, if known
    #[schema(required = true)]
    advice: Option<Preset>,
    /// Fields that are shown although the programme forbids it
    forbidden: Vec<&'static str>,
    /// Sentence on the programme's limits; omitted if nothing is forbidden
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    limits: Option<String>,
}

pub(crate) async fn list_sources(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<HttpResponse, ApiError> {
    let (settings, counts, offers) = state
        .query(|store| {
            let (_, offers) = store.seller_offers(None)?;
            Ok((store.settings()?, store.count_sources()?, offers))
        })
        .await?;
    let chosen = &settings.shop.sources;
    let links = settings.shop.link_rules();
    let body = |(source, products): (String, i64)| {
        let rules = chosen.get(&source);
        let programme = Programme::for_seller(&source);
        let shown = rules.cloned().unwrap_or_default();
        SourceBody {
            tag: links.tag(&source).unwrap_or_default().to_owned(),
            shared_tag: (links.tag(&source).is_none())
                .then(|| links.tag_for(&source).map(str::to_owned))
                .flatten(),
            no_tag: links.can_be_tagged(&source).err(),
            chosen: rules.is_some(),
            offers: offers.iter().filter(|it| it.source == source).count(),
            advice: programme.map(Programme::preset),
            forbidden: programme.map_or_else(Vec::new, |it| it.forbidden(&shown)),
            limits: programme.and_then(|it| it.limits(&shown)),
            rules: shown,
            source,
            products,
        }
    };
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(SourcesResponse {
            data: counts.into_iter().map(body).collect(),
            shops: settings.shop.shops.clone(),
            version: settings.version,
        }))
}

// Settings to change, by name.
#[derive(Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Value)]
pub(crate) struct SettingsRequest(Map<String, Value>);

pub(crate) async fn change_settings(
    state: web::Data<AppState>,
    admin: Admin,
    Json(SettingsRequest(mut sent)): Json<SettingsRequest>,
) -> Result<HttpResponse, ApiError> {
    let version = sent.remove("version");
    let Some(seen) = version.and_then(|version| version.as_i64()) else {
        let message = "Send the version of the settings that you read.";
        return Err(ApiError::invalid("version", message));
    };
    if let Some(sections) = sent.get_mut("frontPage") {
        name_own_pictures(sections, state.public_url());
    }
    let change = SettingsChange::new(sent);
    // Whatever changes after this read makes the version another one.
    let current = state.query(Store::settings).await?;
    if let Ok(next) = change.apply(&current)
        && !next.differs_in_looks_only(&current)
    {
        admin.require_confirmed()?;
    }
    let name = admin.name();
    let change = move |store: &Store| {
        Ok(store.change_settings(change, Some(seen), name, Timestamp::now())?)
    };
    match state.work(change).await? {
        Ok(_) => {
            tracing::info!(user = admin.id(), "the settings were changed");
            let shared = state.get_ref().clone();
            let front = state
                .work(move |store| Ok(shared.storefronts().current(store)?))
                .await?;
            Ok(HttpResponse::Ok().json(SettingsResponse::from(&*front)))
        }
        Err(SettingsError::Invalid(errors)) => Err(ApiError::Invalid(errors)),
        Err(SettingsError::Changed) => Err(ApiError::Changed(
            "Somebody else changed the settings in the meantime.".to_owned(),
        )),
    }
}

/// Makes addresses of the shop's own pictures paths, as sections have them.
fn name_own_pictures(sections: &mut Value, shop: &Url) {
    for section in sections.as_array_mut().into_iter().flatten() {
        if let Some(Value::String(picture)) = section.get_mut("picture") {
            without_shop(std::slice::from_mut(picture), shop);
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrontPageRequest {
    /// The sections, as `PUT /settings` takes them
    #[schema(value_type = Vec<Section>)]
    front_page: Value,
}

pub(crate) async fn preview_front_page(
    state: web::Data<AppState>,
    _admin: Admin,
    Json(FrontPageRequest { mut front_page }): Json<FrontPageRequest>,
) -> Result<HttpResponse, ApiError> {
    name_own_pictures(&mut front_page, state.public_url());
    let change = SettingsChange::new(Map::from_iter([("frontPage".to_owned(), front_page)]));
    let shared = state.get_ref().clone();
    let preview = move |store: &Store| {
        let front = shared.storefronts().current(store)?;
        let next = change.apply(&front.settings).map_err(ApiError::Invalid)?;
        let home = front.home_with(store, &next.shop.front_page)?;
        Ok(json!(HomeResponse::from(&home)))
    };
    let home = state.work(preview).await?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(home))
}
