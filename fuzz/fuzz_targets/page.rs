//! Any texts as those of a product: the server renders its page, and shows them as texts.
#![no_main]

use std::cell::RefCell;
use std::path::Path;

use actix_web::rt::System;
use actix_web::test::{TestRequest, call_and_read_body, init_service};
use deals::accounts::{Accounts, MailServer, Secrets, Waker};
use deals::catalog::formats::Input;
use deals::catalog::import::{ImportOptions, Source, import};
use deals::catalog::reading::Reading;
use deals::clicks::PageViewCounter;
use deals::http::{AppState, CookieMode, Options, Services, app};
use deals::jobs::LastRuns;
use deals::mail::Mailer;
use deals::maintenance::backups::BackupSchedule;
use deals::store::{Import, Store};
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

/// Marks where a title begins and ends.
const MARK: &str = "fuzzed";

thread_local! {
    static SHOP: RefCell<Option<(AppState, tempfile::TempDir)>> = const { RefCell::new(None) };
}

fn shop() -> (AppState, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("deals.sqlite")).unwrap();
    let secrets = Secrets::load(Some(&"k".repeat(32)), &store).unwrap();
    let url = "http://localhost:8080";
    let accounts = Accounts::new(store.clone(), secrets, url, Waker::default());
    let options = Options {
        public_url: url.parse().unwrap(),
        cookies: CookieMode {
            secure: false,
            shop: None,
        },
        allow_http_sign_in: false,
        require_totp: false,
        hsts_subdomains: false,
        trusted_proxies: Vec::new(),
        own_networks: Vec::new(),
        fetch_networks: Vec::new(),
        cors_origins: Vec::new(),
        disclosure: String::new(),
        offline: true,
        leader: None,
        shared_cache: None,
    };
    let services = Services {
        backups: BackupSchedule::given(None),
        certificate: None,
        mail: MailServer::given(Mailer::Log),
        page_views: PageViewCounter::default(),
        last_runs: LastRuns::default(),
        backup_waker: Waker::default(),
    };
    (AppState::new(store, accounts, options, services), folder)
}

/// Imports a product with these texts; false if they are refused.
fn is_imported(database: &Path, [title, description, source]: [&str; 3]) -> bool {
    let row = json!({
        "_id": "fuzzed", "title": format!("{MARK}{title}{MARK}"), "description": description,
        "source": source, "price": 100, "discount": 10, "category": "Books",
        "affiliateLink": "https://shop.example/1", "images": ["https://img.example/1.jpg"],
        "averageRating": 4, "totalRatings": 1,
    });
    let source = Source {
        input: Input::bytes(row.to_string().into_bytes()),
        reading: &Reading::default(),
        folder: &std::env::temp_dir(),
    };
    let options = ImportOptions {
        dry_run: false,
        skip_invalid: false,
    };
    let session = Import::begin(database).unwrap();
    let now = Timestamp::now();
    import(source, session, options, "fuzz", now, |_| (), None, None).is_ok()
}

fuzz_target!(|texts: [String; 3]| {
    SHOP.with_borrow_mut(|kept| {
        let (state, folder) = kept.get_or_insert_with(shop);
        let texts = texts.each_ref().map(String::as_str);
        if !is_imported(&folder.path().join("deals.sqlite"), texts) {
            return;
        }
        System::new().block_on(async {
            let app = init_service(app(state.clone())).await;
            let request = TestRequest::get().uri("/details/fuzzed").to_request();
            let body = call_and_read_body(&app, request).await;
            let page = String::from_utf8(body.to_vec()).unwrap();
            let page = scraper::Html::parse_document(&page);
            let heading = scraper::Selector::parse("#root h1").unwrap();
            let heading: String = page.select(&heading).next().unwrap().text().collect();
            assert!(heading.starts_with(MARK) && heading.ends_with(MARK), "{heading}");
            let foreign = scraper::Selector::parse("#root script").unwrap();
            assert_eq!(page.select(&foreign).count(), 0);
        });
    });
});
