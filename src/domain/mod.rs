//! Business rules without I/O: no HTTP, SQL, files or clock (time is a parameter).

mod account;
mod activity;
mod alerts;
mod categories;
mod channels;
mod clicks;
mod collections;
mod constants;
mod enums;
mod field_error;
mod format;
mod home;
mod invisible;
mod links;
mod listing;
mod own_picture;
mod product;
mod queue;
mod search_words;
mod session;
mod settings;
mod stated;
mod time;
mod web_address;
mod words;

pub use account::keys::{ApiKey, Scope};
pub use account::staff_name::check_staff_name;
pub use account::webhooks::{Webhook, WebhookEvent, WebhookRequest};
pub use account::{Credentials, Email, Password, Registration, Role, User};
pub use activity::{
    Action, Activity, PRICE_CHANGE, changed_fields, changed_settings, common_changes,
};
pub use alerts::{AlertStep, PriceAlert, WishedPrice};
pub use categories::{
    ArchivedCategory, Categories, Category, CategoryEdit, CategoryKey, CategoryRequest,
    ListedCategory, slug_of,
};
pub use channels::{
    ChannelChoice, ChannelKind, ChannelRequest, ChannelRule, DealWords, Markup, Post, PostChannel,
    PostQueued, PostState, PostText, Template, USUAL_TEMPLATE, page_for, shown_facts,
};
pub use clicks::overview::{
    Compared, FailedSearch, Mover, Needs, NeedsView, Overview, Task, TaskKind,
};
pub use clicks::reports::{HOURS_KEPT, PageViews, ReportQuery, ReportRequest, ReportRow};
pub use clicks::*;
pub use collections::{ArchivedShop, Collection, CollectionRequest, ListNames};
pub(crate) use constants::CONSTANTS;
pub(crate) use enums::named;
pub use field_error::FieldError;
pub(crate) use field_error::words_of;
pub use format::{counted, group_digits, hex};
pub use home::{CategoryTile, Home, LikedProduct, Picks};
pub use invisible::{
    are_alike, disarmed, in_line, is_active, is_invisible, one_line, plain_name, without_controls,
    without_reordering,
};
pub use links::{CustomSeller, KnownLink, LinkRules, Tagged, add_link_rules, parse_tag};
pub use listing::{
    Alike, CollectionFilter, Facets, Filters, ListQuery, Listing, Order, Paged, RemovedProduct,
    SortBy, page_offset,
};
pub use own_picture::{
    NewPicture, PICTURE_SIDES, PictureFile, PictureName, with_shop, without_shop,
};
pub(crate) use product::{
    DESCRIPTION, EXPORT_FIELDS, EXTERNAL_ID, MAX_EXTERNAL_ID, SOURCE, given_bit, kept_fields,
    line_fields,
};
pub use product::{
    Discount, EffectivePrice, FIELDS, Field, Figure, ImportedProduct, Kind, Length, Lifetime,
    LineField, Lines, NewProduct, Offer, OfferKind, PLOT, Paise, PlotReading, PriceChange,
    PriceFigures, PriceHistory, PricePlot, PriceRun, PriceVerdict, PriceVerdictKind, Product,
    ProductDraft, SMALL, Saving, SellerOffer, Shown, State, StoredSellerOffer, TAG_SEPARATORS,
    add_tags, are_duplicates, cheapest, effective_price, keep_order, mean_path, read_tags,
    repeated_units, rupees, short_rupees, tag_key, versions, zone_message,
};
pub use queue::{QueueRequest, QueueRules, time_of_day};
pub use search_words::PricedSearch;
pub use session::{Audience, Session, lifetime};
pub use settings::{
    AccentColours, BackupChoice, Colour, DEFAULT_NAME, Logo, MailChoice, MailSecurity, Palette,
    Preset, Programme, SameWordsLine, Section, SectionKind, Settings, SettingsChange, ShopPage,
    ShopSettings, ShopTexts, SourceRules,
};
pub use stated::Stated;
pub use time::{
    Rfc3339, beginning_of_hour, date_in_india, date_of, day_in_india, day_of, hour_in_india,
    in_india, moment_in_india, rfc3339, time_in_india, time_of, timestamp_for_file,
};
pub use web_address::{
    is_harmless_link, is_harmless_picture, is_picture_address, is_this_machine, is_web_address,
};
pub use words::{folded_words, for_each_word, truncate, variant_key};
