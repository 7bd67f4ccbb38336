//! Calls about sellers' links: reading one, the seller's tag, and products that are the same by their links.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::{IntoParams, ToSchema};

use super::permissions::{Admin, May, ReadProducts, WriteProducts};
use super::requests::Text;
use crate::domain::{FieldError, KnownLink, Paise, State, is_web_address};
use crate::fetch::{FetchError, Fetcher};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::{RewrittenLinks, SameProduct, SameProducts, SettingsError, Store, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/product/link", read_link)
            .without_code()
            .summary("Reads a link as it would be stored: its seller, product and tag.")
            .answers::<LinkResponse>("The link"),
        post("/product/resolve-link", resolve_link)
            .without_code()
            .summary(
                "Asks a shop's shortener once where a link leads, and reads that link. No other \
                 host is asked.",
            )
            .answers::<LinkResponse>("The link that it leads to")
            .refuses(429, "Too many requests"),
        get("/product/link-duplicates", list_link_duplicates)
            .summary(
                "Lists products of a seller that are the same by their links: the same product \
                 id, or the same link but for its tag.",
            )
            .answers::<LinkDuplicatesResponse>("The groups"),
        post("/source/{source}/tag", set_tag)
            // The handler asks for one, unless it is a preview.
            .without_code()
            .summary(
                "Sets the tag of a seller and rewrites all its links, as one change that can be \
                 undone.",
            )
            .details("With `preview` it is only counted; without it the answer has `undo`.")
            .part("source", "The seller's name")
            .answers::<TagResponse>("The change"),
    ]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct LinkRequest {
    #[schema(value_type = String, max_length = 2_048)]
    link: Text,
    /// Seller of the product, if chosen; else the one that the link is of
    #[schema(value_type = Option<String>)]
    source: Text,
}

/// A link as the shop would store it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkResponse {
    /// Canonical and with the seller's tag, if it has one; else as sent
    link: String,
    /// Name of the seller, as in the catalogue
    #[schema(required = true)]
    seller: Option<String>,
    /// The seller's id of the product
    #[schema(required = true)]
    product_id: Option<String>,
    /// Somebody else's tag that the link carried
    #[schema(required = true)]
    replaced_tag: Option<String>,
    /// Somebody's tag that it keeps, because the seller has none of the owner's
    #[schema(required = true)]
    kept_tag: Option<String>,
    /// Affiliate network whose link it is
    #[schema(required = true)]
    network: Option<&'static str>,
    /// Whether it is a short link that has to be resolved first
    short: bool,
    /// Id of the seller's product that has the link
    #[schema(required = true)]
    duplicate_of: Option<String>,
}

const NO_LINK: &str = "Please enter a valid affiliate link URL.";

impl LinkRequest {
    fn parse(&self) -> Result<(String, Option<String>), ApiError> {
        let link = self.link.as_str().trim();
        if !is_web_address(link) {
            return Err(ApiError::invalid("link", NO_LINK));
        }
        let source = self.source.as_str().trim();
        let source = Some(source.to_owned()).filter(|source| !source.is_empty());
        Ok((link.to_owned(), source))
    }
}

/// Returns the seller of a shop's links: the one with the most products, or the shop's own name.
fn seller_of(store: &Store, known: &KnownLink) -> Result<String, StoreError> {
    let rules = store.link_rules()?;
    let mut sellers = store.count_sources()?;
    sellers.retain(|(name, _)| rules.is_seller(name, &known.shop));
    let seller = sellers.into_iter().max_by_key(|(_, products)| *products);
    Ok(seller.map_or_else(|| known.shop.clone(), |(name, _)| name))
}

fn describe(
    store: &Store,
    link: String,
    source: Option<String>,
) -> Result<LinkResponse, StoreError> {
    let rules = store.link_rules()?;
    let known = rules.read(&link);
    let seller = known.as_ref().map(|known| seller_of(store, known));
    let seller = seller.transpose()?;
    let source = source.or_else(|| seller.clone());
    let tagged = source.as_deref().and_then(|it| rules.tagged(it, &link));
    let network = rules.network_of(&link);
    let has_tag = source
        .as_deref()
        .is_some_and(|it| rules.tag_for(it).is_some());
    let kept_tag = known
        .as_ref()
        .filter(|_| !has_tag)
        .and_then(|known| known.tag.clone());
    let (link, replaced_tag) = match tagged {
        Some(tagged) => (tagged.link, tagged.replaced),
        None => (link, None),
    };
    let duplicate = match &source {
        Some(source) => store.find_product_by_link(source, &link)?,
        None => None,
    };
    Ok(LinkResponse {
        link,
        seller,
        network,
        short: known.as_ref().is_some_and(|known| known.is_short),
        product_id: known.and_then(|known| known.product),
        replaced_tag,
        kept_tag,
        duplicate_of: duplicate.map(|product| product.id),
    })
}

pub(crate) async fn read_link(
    state: web::Data<AppState>,
    _may: May<WriteProducts>,
    Json(body): Json<LinkRequest>,
) -> Result<impl Responder, ApiError> {
    let (link, source) = body.parse()?;
    let read = state
        .query(move |store| describe(store, link, source))
        .await?;
    Ok(web::Json(read))
}

pub(crate) async fn resolve_link(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    client: Client,
    Json(body): Json<LinkRequest>,
) -> Result<impl Responder, ApiError> {
    let (link, source) = body.parse()?;
    let asked = link.clone();
    let short = state
        .query(move |store| Ok(shortener(store, &asked)))
        .await?;
    let address = short.map_err(|message| ApiError::invalid("link", message))?;
    state.rate_limits().resolve(client)?;
    tracing::info!(
        by = actor.id(),
        host = address.host_str(),
        "a short link was resolved"
    );
    let read = state
        .work(move |store| {
            let found = Fetcher::default().first_location(&address);
            let target = found.map_err(|error| not_fetched(&error))?;
            let target = target.filter(|target| is_web_address(target.as_str()));
            let target = target.ok_or_else(|| leads_nowhere(&address))?;
            Ok(describe(store, target.into(), source)?)
        })
        .await?;
    Ok(web::Json(read))
}

/// Returns the address of a shortener's link, or a sentence why it is not asked.
fn shortener(store: &Store, link: &str) -> Result<Url, String> {
    let rules = store.link_rules().unwrap_or_default();
    if let Some(network) = rules.network_of(link) {
        return Err(format!(
            "Links of {network} are never opened by the server: that would be a false click. Open it \
             in your browser, and paste the address that it leads to."
        ));
    }
    let is_short = rules.read(link).is_some_and(|known| known.is_short);
    Url::parse(link).ok().filter(|_| is_short).ok_or_else(|| {
        "Only short links of known shops are resolved, like those of amzn.in. Open this one in your \
         browser, and paste the address that it leads to."
            .to_owned()
    })
}

fn not_fetched(error: &FetchError) -> ApiError {
    if let FetchError::Unreachable(host, cause) = error {
        tracing::warn!(host, cause, "a short link was not resolved");
    }
    ApiError::invalid("link", format!("Not resolved: {error}. {IN_BROWSER}"))
}

const IN_BROWSER: &str = "Open the link in your browser, and paste the address that it leads to.";

fn leads_nowhere(address: &Url) -> ApiError {
    let host = address.host_str().unwrap_or_default();
    let message = format!("Not resolved: {host} does not say where the link leads. {IN_BROWSER}");
    ApiError::invalid("link", message)
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct TagRequest {
    /// As the programme shows it, like name-21; empty or null to remove it, which leaves the links
    #[serde(default)]
    #[schema(value_type = Option<String>, required = true, max_length = 100)]
    tag: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PreviewQuery {
    /// Only count what would change
    #[param(value_type = Option<bool>)]
    preview: Option<String>,
}

/// Change of a seller's links.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TagResponse {
    source: String,
    tag: String,
    /// Products of the seller
    products: u64,
    /// Products whose link changes
    changed: u64,
    /// Products that have the same link as another one of the seller then
    equal: u64,
    /// The first changed links
    examples: Vec<LinkExampleBody>,
    /// Handle that undoes the change within a minute; omitted with preview
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    undo: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct LinkExampleBody {
    title: String,
    from: String,
    to: String,
}

impl TagResponse {
    fn new(source: String, tag: String, links: RewrittenLinks) -> Self {
        let examples = links.examples.into_iter();
        Self {
            source,
            tag,
            products: links.products,
            changed: links.changed,
            equal: links.equal,
            undo: links.undo,
            examples: examples
                .map(|example| LinkExampleBody {
                    title: example.title,
                    from: example.from,
                    to: example.to,
                })
                .collect(),
        }
    }
}

pub(crate) async fn set_tag(
    state: web::Data<AppState>,
    admin: Admin,
    source: web::Path<String>,
    query: web::Query<PreviewQuery>,
    Json(body): Json<TagRequest>,
) -> Result<HttpResponse, ApiError> {
    let source = source.into_inner();
    let tag = body.tag.unwrap_or_default().trim().to_owned();
    let done = if query.preview.as_deref() == Some("true") {
        let (source, tag) = (source.clone(), tag.clone());
        state
            .query(move |store| store.preview_tag(&source, &tag))
            .await?
    } else {
        admin.require_confirmed()?;
        let (source, tag, name) = (source.clone(), tag.clone(), admin.name());
        state
            .work(move |store| Ok(store.change_tag(&source, &tag, name, Timestamp::now())?))
            .await?
    };
    let links = done.map_err(|error| match error {
        SettingsError::Invalid(errors) => {
            let errors = errors.into_iter();
            let of_tag = |error: FieldError| FieldError::new("tag", error.message);
            ApiError::Invalid(errors.map(of_tag).collect())
        }
        SettingsError::Changed => ApiError::Changed(error.to_string()),
    })?;
    Ok(HttpResponse::Ok().json(TagResponse::new(source, tag, links)))
}

/// Groups that are listed.
const GROUPS: usize = 200;
/// Products of a group that are listed.
const OF_GROUP: usize = 20;

#[derive(Serialize, ToSchema)]
pub(crate) struct LinkDuplicatesResponse {
    /// At most 200 groups
    data: Vec<LinkDuplicates>,
    /// Number of all groups
    total: u64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LinkDuplicates {
    source: String,
    /// The seller's id of the product; null if only the links are equal
    #[schema(required = true)]
    product_id: Option<String>,
    /// Id of the live product that keepCheapest keeps of those listed; null if fewer than 2 are live
    #[schema(required = true)]
    keep: Option<String>,
    /// At most 20, oldest first
    products: Vec<LinkDuplicate>,
    /// Number of all products of the group
    total: usize,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LinkDuplicate {
    #[serde(rename = "_id")]
    id: String,
    title: String,
    affiliate_link: String,
    /// Rupees
    final_price: Paise,
    #[schema(value_type = State)]
    state: &'static str,
}

impl From<SameProducts> for LinkDuplicates {
    fn from(same: SameProducts) -> Self {
        let total = same.products.len();
        let keep = same.to_keep(OF_GROUP).map(str::to_owned);
        let body = |it: SameProduct| LinkDuplicate {
            id: it.id,
            title: it.title,
            affiliate_link: it.link,
            final_price: it.final_price,
            state: State::as_str(it.state),
        };
        Self {
            source: same.source,
            product_id: same.product_id,
            keep,
            products: same.products.into_iter().take(OF_GROUP).map(body).collect(),
            total,
        }
    }
}

pub(crate) async fn list_link_duplicates(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
) -> Result<impl Responder, ApiError> {
    let (found, total) = state.query(|store| store.link_duplicates(GROUPS)).await?;
    let data = found.into_iter().map(LinkDuplicates::from).collect();
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(LinkDuplicatesResponse { data, total }))
}
