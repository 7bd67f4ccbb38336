//! Answers of a copy: the leader's reads, and refusals of everything else.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Pair, clicks, is_ready, total, wait_for_clicks};
use crate::support::harness::{Done, succeeds, wait_until};

#[test]
fn a_copy_answers_what_its_leader_answers() {
    let mut pair = Pair::new();
    pair.click("Product 7");
    pair.import(31..=40);
    pair.files.sync();
    let follower = pair.follow();
    let details = format!("/details/{}", pair.id("Product 7"));
    let paths = [
        "/",
        "/?sortBy=clicks",
        "/?search=product&category=Electronics",
        "/?search=number+12",
        "/product/get-products?sortBy=clicks&limit=100",
        "/feed.xml",
        "/sitemap.xml",
        "/robots.txt",
        &details,
    ];
    for round in 1..=2 {
        wait_for_clicks(&follower, clicks(&pair.leader));
        for path in paths {
            let [own, theirs] = [&follower, &pair.leader].map(|it| it.get(path));
            assert_eq!(own.status(), theirs.status(), "{path}");
            assert_eq!(
                own.headers().get("etag"),
                theirs.headers().get("etag"),
                "{path}"
            );
            assert_eq!(
                own.text().unwrap(),
                theirs.text().unwrap(),
                "{path}, round {round}"
            );
        }
        pair.click("Product 7");
        pair.files.sync();
    }
    wait_for_clicks(&follower, clicks(&pair.leader));
    let [own, theirs] = [&pair.copy, &pair.shop].map(|shop| {
        succeeds(shop.run(&["backup", "backup.sqlite"]));
        succeeds(shop.run(&["export", "--db", "backup.sqlite"]))
    });
    assert!(own == theirs);
}

#[test]
fn a_copy_leaves_writes_and_people_to_its_leader() {
    let pair = Pair::new();
    let follower = pair.follow();
    let client = follower.client();
    let id = pair.id("Product 1");
    let click = format!("/product/increament-views/{id}");
    for request in [
        client.post(follower.url(&click)),
        client.post(follower.url("/user/sign-in")),
        client.put(follower.url("/settings")),
        client.delete(follower.url("/nothing")),
        client.get(follower.url("/")).header("cookie", "a=b"),
        client.head(follower.url("/")).header("cookie", "a=b"),
        client
            .get(follower.url("/"))
            .header("authorization", "Bearer x"),
    ] {
        let is_head = request.try_clone().unwrap().build().unwrap().method() == "HEAD";
        let answer = request.send().unwrap();
        assert_eq!(answer.status(), 503);
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let text = answer.text().unwrap();
        assert!(
            is_head || text.contains("https://leader.example/"),
            "{text}"
        );
    }
    assert_eq!(client.head(follower.url("/")).send().unwrap().status(), 200);
    assert_eq!(
        client
            .get(follower.url("/user/me"))
            .send()
            .unwrap()
            .status(),
        401
    );
    let ways = "there is no administrator yet";
    assert!(!follower.stop().contains(ways), "nobody can set it up");
}

#[test]
fn a_copy_never_goes_back_and_never_fails() {
    let mut pair = Pair::new();
    let follower = pair.follow();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let done = Done(&is_done);
        for _ in 0..2 {
            scope.spawn(|| {
                let mut seen = (0, 0);
                while !is_done.load(Ordering::Relaxed) {
                    let now = (clicks(&follower), total(&follower));
                    assert!(now.0 >= seen.0 && now.1 >= seen.1, "{now:?} after {seen:?}");
                    seen = now;
                }
            });
        }
        for round in 1..=12 {
            pair.click("Product 3");
            if round % 3 == 0 {
                pair.import((31 + round)..=(32 + round));
            }
            if round % 4 == 0 {
                // It renumbers every page.
                pair.shop.database().execute_batch("VACUUM").unwrap();
            }
            pair.files.sync();
            if round % 2 == 0 {
                wait_for_clicks(&follower, round as i64);
            }
        }
        wait_for_clicks(&follower, 12);
        drop(done);
    });
    assert_eq!(total(&follower), total(&pair.leader));
}

#[test]
fn a_copy_tells_its_age_and_position() {
    let mut pair = Pair::new();
    let metrics = ["--metrics-listen", "127.0.0.1:0"].map(str::to_owned);
    let options = [pair.options(), metrics.to_vec()].concat();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let follower = pair.copy.serve_with(&options);
    let line = follower.wait_for_line("metrics are at ");
    let metrics = line.rsplit(' ').next().unwrap().to_owned();
    pair.files.sync();
    let read = || {
        follower
            .client()
            .get(&metrics)
            .send()
            .unwrap()
            .text()
            .unwrap()
    };
    wait_until("the position", || {
        read().contains("deals_follower_position 2")
    });
    assert!(read().contains("deals_job_last_success_timestamp_seconds{job=\"follow\"}"));
    wait_until("it is ready", || is_ready(&follower));
    let checked = pair.copy.run(&["check"]);
    let checked = String::from_utf8(checked.stdout).unwrap();
    let expected = format!("a copy of {}", pair.shop.file("replica").display());
    assert!(checked.contains(&expected), "{checked}");
    assert!(checked.contains("up to transaction 2"), "{checked}");
    assert!(checked.contains("job follow"), "{checked}");
}
