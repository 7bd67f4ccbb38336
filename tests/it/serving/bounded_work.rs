//! Limits on the work of anonymous requests: an address delays only itself.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::crowd::{BROWSER, PROXY, RENDERED, allow_many_files, receive, send};
use crate::support::harness::{Done, Shop, product};

/// A shop with enough words for slow suggestions.
fn shop() -> Shop {
    let products: Vec<_> = (0..2_000).map(product).collect();
    Shop::with(&products)
}

#[test]
fn every_visitor_is_answered_during_a_flood_of_searches_from_another_address() {
    allow_many_files();
    let shop = shop();
    let server = shop.serve_with(&PROXY);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = Done(&is_over);
        for number in 0..8 {
            let (server, is_over) = (&server, &is_over);
            scope.spawn(move || {
                let mut search = number;
                while !is_over.load(Ordering::Relaxed) {
                    // Different words each time, since responses are cached.
                    let open: Vec<_> = (0..40)
                        .map(|_| {
                            search += 8;
                            let path = format!("/?search=prodict+descripton+numbr+x{search}");
                            send(server, 0, BROWSER, &path)
                        })
                        .collect();
                    for answer in open.into_iter().map(receive) {
                        let says_when = answer.header("retry-after").is_some();
                        assert_eq!(answer.status() == "503", says_when, "{}", answer.status());
                    }
                }
            });
        }
        for visitor in 1..20 {
            let path = format!("/?limit=5&page={visitor}");
            let answer = receive(send(&server, visitor, BROWSER, &path));
            assert_eq!(answer.status(), "200");
            assert!(answer.body().contains(RENDERED), "left to the browser");
        }
    });
}
