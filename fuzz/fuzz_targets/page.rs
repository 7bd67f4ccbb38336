//! Any address: the page's head is written, and input is escaped.
#![no_main]

use std::cell::RefCell;
use std::sync::Arc;

use actix_web::rt::System;
use actix_web::test::{TestRequest, call_and_read_body, init_service};
use deals::accounts::{Accounts, MailWaker, Secrets};
use deals::catalog::demo;
use deals::clicks::Views;
use deals::http::{AppState, CookieMode, Options, Services, app};
use deals::jobs::LastRuns;
use deals::mail::Mailer;
use deals::store::{Import, Store};
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static STATE: RefCell<Option<(AppState, tempfile::TempDir)>> = const { RefCell::new(None) };
}

fn state() -> AppState {
    STATE.with_borrow_mut(|kept| {
        let (state, _) = kept.get_or_insert_with(|| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("deals.sqlite");
            let store = Store::open(&path).unwrap();
            demo::fill(&store, Import::begin(&path).unwrap(), true, Timestamp::UNIX_EPOCH).unwrap();
            let secrets = Secrets::load(Some(&"k".repeat(32)), &store).unwrap();
            let url = "http://localhost:8080";
            let accounts = Accounts::new(store.clone(), secrets, url, MailWaker::default());
            let options = Options {
                public_url: url.parse().unwrap(),
                cookies: CookieMode::Plain,
                trusted_proxies: Vec::new(),
                own_networks: Vec::new(),
                cors_origins: Vec::new(),
                disclosure: String::new(),
                offline: true,
            };
            let services = Services {
                backups: None,
                mailer: Arc::new(Mailer::Log),
                views: Views::default(),
                last_runs: LastRuns::default(),
            };
            (AppState::new(store, accounts, options, services), folder)
        });
        state.clone()
    })
}

fuzz_target!(|parts: (String, String)| {
    let (search, path) = parts;
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("search", &format!("{search}<fuzz>\"'"))
        .append_pair("source", &path)
        .finish();
    // Opening the shop blocks, which is not allowed on a runtime thread.
    let state = state();
    System::new().block_on(async {
        let app = init_service(app(state)).await;
        for address in [
            format!("/?{query}"),
            format!("/details/{}", path.escape_default()),
        ] {
            let Ok(address) = address.parse::<actix_web::http::Uri>() else {
                continue;
            };
            let request = TestRequest::get().uri(&address.to_string()).to_request();
            let body = call_and_read_body(&app, request).await;
            assert!(!String::from_utf8_lossy(&body).contains("<fuzz>"));
        }
    });
});
