//! Machines of a cluster: who leads, who takes over, and what is acknowledged. `tests/soak/litestream/cluster.py`
//! does the same with Litestream, kills and a slow bucket.

use std::fs;
use std::process::Command;

use super::engine::{Engine, Mood};
use super::{URL, clicks, is_ready, wait_for_clicks};
use crate::support::bucket::{Bucket, error};
use crate::support::harness::{Server, Shop, fails, product, succeeds, wait_until};

/// A machine with its Litestream, and the bucket of all.
pub struct Machine {
    pub shop: Shop,
    pub engine: Engine,
    pub bucket: Bucket,
}

impl Machine {
    fn with(shop: Shop, bucket: &Bucket) -> Self {
        Self {
            engine: Engine::start(shop.folder(), bucket),
            shop,
            bucket: bucket.clone(),
        }
    }

    /// The first machine, with a shop of its own.
    pub fn first() -> Self {
        let products: Vec<_> = (1..=30).map(product).collect();
        Self::with(Shop::with(&products), &Bucket::start())
    }

    /// Another machine, with the key of this one.
    pub fn another(&self) -> Self {
        let other = Shop::new();
        let key = "deals.sqlite.key";
        fs::copy(self.shop.file(key), other.file(key)).unwrap();
        Self::with(other, &self.bucket)
    }

    pub fn command(&self, name: &str, more: &[&str]) -> Command {
        let mut command = self.shop.command();
        let socket = self.engine.socket.to_str().unwrap();
        command
            .args([
                name,
                "--cluster",
                "s3://shops/shop",
                "--litestream-socket",
                socket,
            ])
            .args(["--listen", "127.0.0.1:0", "--public-url", URL])
            .args(more)
            .envs(self.bucket.variables());
        command
    }

    pub fn serve(&self) -> Server {
        Server::start(self.command("serve", &[]))
    }

    /// Returns the message of a start that fails.
    pub fn refusal(&self) -> String {
        fails(self.command("serve", &[]).output().unwrap())
    }

    fn replica(&self, more: &[&str]) -> String {
        succeeds(self.command("replica", more).output().unwrap())
    }

    pub fn names(&self, part: &str) -> usize {
        let names = self.bucket.names();
        names.iter().filter(|name| name.contains(part)).count()
    }
}

/// Clicks on the first product of a list; returns the status.
pub fn click(server: &Server) -> u16 {
    // A machine whose role changes closes connections.
    let Ok(list) = server
        .client()
        .get(server.url("/product/get-products?limit=1"))
        .send()
    else {
        return 0;
    };
    let list: serde_json::Value = list.json().unwrap_or_default();
    let Some(id) = list["data"][0]["_id"].as_str() else {
        return 0;
    };
    let path = server.url(&format!("/product/increament-views/{id}"));
    let answer = server.client().post(path).send();
    answer.map_or(0, |answer| answer.status().as_u16())
}

/// Whether the server answers what only a leader does.
pub fn leads(server: &Server) -> bool {
    let request = server.client().get(server.url("/healthz"));
    let answer = request.header("cookie", "a=b").send();
    answer.is_ok_and(|answer| answer.status() == 200)
}

#[test]
fn the_first_machine_leads_and_another_follows_it() {
    let first = Machine::first();
    let leader = first.serve();
    assert!(leads(&leader) && is_ready(&leader));
    assert_eq!(first.names("race/"), 0);
    let second = first.another();
    let follower = second.serve();
    assert!(!leads(&follower));
    for number in 1..=3 {
        assert_eq!(click(&leader), 200);
        // It was sent before it was answered.
        wait_for_clicks(&follower, number);
    }
    assert_eq!(click(&follower), 503);
    let state = second.replica(&[]);
    assert!(state.contains("leads in epoch 1: "), "{state}");
}

#[test]
fn a_write_is_answered_once_it_is_sent_and_nobody_else_leads() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    for (mood, said) in [
        (Mood::CutOff, "no route"),
        (Mood::Silent, "does not answer"),
        (Mood::Behind, "has not sent everything"),
        (Mood::Other, "is no socket of Litestream"),
    ] {
        first.engine.is(mood);
        assert_eq!(click(&leader), 503);
        leader.wait_for_line(said);
        assert!(is_ready(&leader), "visitors are answered");
        assert_eq!(leader.get("/").status(), 200);
        first.engine.is(Mood::Well);
        wait_until("writes are answered again", || click(&leader) == 200);
    }
    first.engine.forget();
    assert_eq!(click(&leader), 200, "it is told of the database again");
    first.bucket.fault(|request| {
        request
            .key
            .contains("epoch/")
            .then(|| error(503, "SlowDown", ""))
    });
    assert_eq!(click(&leader), 503);
    first.bucket.no_fault();
    wait_until("writes are answered again", || click(&leader) == 200);
}

#[test]
fn a_follower_takes_over_with_everything_that_was_acknowledged() {
    let first = Machine::first();
    let leader = first.serve();
    let second = first.another();
    let follower = second.serve();
    for _ in 0..5 {
        assert_eq!(click(&leader), 200);
    }
    drop(leader);
    follower.wait_for_line("taking over");
    wait_until("it leads", || leads(&follower) && click(&follower) == 200);
    let list = follower.list("sortBy=clicks&limit=1");
    assert_eq!(list[0]["clicks"], 6);
    assert_eq!(second.names("epoch/"), 2);
    // The machine that led comes back, and follows.
    let back = first.serve();
    wait_until("it follows", || !leads(&back));
    wait_for_clicks(&back, 6);
    assert_eq!(click(&follower), 200);
    wait_for_clicks(&back, 7);
    assert!(first.shop.file("deals.sqlite.led").exists());
}

#[test]
fn a_leader_that_is_released_follows_the_one_that_takes_over() {
    let first = Machine::first();
    let mut servers = vec![first.serve()];
    let second = first.another();
    servers.push(second.serve());
    assert_eq!(click(&servers[0]), 200);
    for (from, to, epoch) in [(0, 1, 2), (1, 0, 3)] {
        let state = first.replica(&["--release"]);
        assert!(
            state.contains(&format!("leads in epoch {epoch}")),
            "{state}"
        );
        wait_until("it leads", || {
            leads(&servers[to]) && click(&servers[to]) == 200
        });
        wait_until("the other follows", || !leads(&servers[from]));
        let clicked = clicks(&servers[to]);
        wait_for_clicks(&servers[from], clicked);
    }
    let lists = [0, 1].map(|server| servers[server].list("sortBy=clicks&limit=100"));
    assert_eq!(lists[0], lists[1]);
    let state = first.replica(&[]);
    assert!(state.contains("epoch 3: "), "{state}");
}

#[test]
fn a_leader_that_was_replaced_acknowledges_nothing() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    // As if it had slept while another machine took over.
    leader.signal("STOP");
    first.bucket.put("shop/epoch/00000002", b"1-other@other");
    leader.signal("CONT");
    assert_eq!(click(&leader), 503);
    leader.wait_for_line("1-other@other leads now");
}

#[test]
fn a_leader_that_starts_again_goes_on() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    drop(leader);
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    assert_eq!(clicks(&leader), 2);
    drop(leader);
    first
        .bucket
        .fault(|_| Some(error(403, "InvalidAccessKeyId", "")));
    let leader = first.serve();
    assert_eq!(leader.get("/").status(), 200);
    assert_eq!(click(&leader), 503);
    first.bucket.no_fault();
    wait_until("writes are answered again", || click(&leader) == 200);
    assert_eq!(first.names("epoch/"), 1);
}

#[test]
fn a_machine_that_takes_over_from_one_that_sent_nothing_has_what_was_before() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    let [second, third] = [first.another(), first.another()];
    let follower = second.serve();
    let last = third.serve();
    wait_for_clicks(&last, 1);
    drop(leader);
    // The second takes over, and is gone before its first file is there.
    drop(follower);
    first.bucket.put("shop/epoch/00000002", b"1-second@second");
    first.bucket.put("shop/alive/00000002", b"1 at risk");
    last.wait_for_line("taking over");
    wait_until("it leads", || leads(&last) && click(&last) == 200);
    assert_eq!(clicks(&last), 2);
    assert_eq!(third.names("epoch/"), 3);
    assert!(third.names("ltx/00000003/") > 0 && third.names("ltx/00000002/") == 0);
}

#[test]
fn a_follower_without_a_fit_litestream_does_not_take_over_and_goes_on_answering() {
    let first = Machine::first();
    let leader = first.serve();
    let second = first.another();
    let follower = second.serve();
    second.engine.is(Mood::Old);
    first.bucket.put("shop/alive/00000001", b"1 released");
    drop(leader);
    follower.wait_for_line("Litestream 0.5.9 is too old. Install 0.5.17.");
    assert!(!leads(&follower) && is_ready(&follower));
    second.engine.is(Mood::Well);
    wait_until("it leads", || leads(&follower));
}

#[test]
fn a_cluster_that_can_not_work_is_refused_with_what_to_do() {
    let first = Machine::first();
    first.engine.is(Mood::Old);
    let said = first.refusal();
    assert!(said.contains("Litestream 0.5.9 is too old"), "{said}");
    first.engine.is(Mood::Other);
    let said = first.refusal();
    assert!(said.contains("is no socket of Litestream"), "{said}");
    first.engine.is(Mood::Well);
    fs::remove_file(&first.engine.socket).unwrap();
    let said = first.refusal();
    assert!(
        said.contains("run it with this socket as the user"),
        "{said}"
    );
    assert_eq!(first.names("epoch/"), 0);
    let engine = Engine::start(first.shop.folder(), &first.bucket);
    let first = Machine { engine, ..first };
    // A store that lets everybody create an object.
    first.bucket.fault(|request| {
        let is_race = request.method == "PUT" && request.key.contains("race/");
        is_race.then(|| Some((200, "etag: \"1\"\r\n".to_owned(), Vec::new())))
    });
    let said = first.refusal();
    assert!(said.contains("of 8 clients, not one"), "{said}");
    // And one that does not know how.
    first.bucket.fault(|request| {
        let is_race = request.method == "PUT" && request.key.contains("race/");
        is_race.then(|| error(501, "NotImplemented", ""))
    });
    let said = first.refusal();
    assert!(said.contains("of 8 clients, not one"), "{said}");
    first
        .bucket
        .fault(|_| Some(error(403, "InvalidAccessKeyId", "")));
    assert!(first.refusal().contains("AWS_ACCESS_KEY_ID"));
    assert_eq!(first.names("epoch/"), 0);
}

#[test]
fn another_shop_or_key_is_not_served_as_a_copy() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    let other = Machine::with(Shop::with(&[product(1)]), &first.bucket);
    let said = other.refusal();
    assert!(said.contains("is a shop of its own"), "{said}");
    assert!(!other.shop.file("deals.sqlite.led").exists());
    let stranger = first.another();
    let own = Shop::with(&[product(1)]);
    drop(own.serve());
    let key = "deals.sqlite.key";
    fs::copy(own.file(key), stranger.shop.file(key)).unwrap();
    let said = stranger.refusal();
    assert!(said.contains("is not the key that the accounts"), "{said}");
}

#[test]
fn a_folder_that_was_copied_from_the_leader_does_not_lead() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    let copied = first.another();
    for file in ["deals.sqlite", "deals.sqlite.cluster"] {
        fs::copy(first.shop.file(file), copied.shop.file(file)).unwrap();
    }
    let said = copied.refusal();
    assert!(said.contains("is a shop of its own"), "{said}");
    wait_until("the leader goes on", || click(&leader) == 200);
}

#[test]
fn writes_need_not_wait_for_the_bucket() {
    let first = Machine::first();
    let leader = Server::start(first.command("serve", &["--wait", "never"]));
    first.engine.is(Mood::CutOff);
    assert_eq!(click(&leader), 200);
    let state = || first.replica(&[]);
    wait_until("it says so", || state().ends_with("at risk\n"));
    assert_eq!(click(&leader), 200);
    first.engine.is(Mood::Well);
    wait_until("it is safe", || state().ends_with("durable\n"));
    first.bucket.put("shop/epoch/00000002", b"1-other@other");
    wait_until("it is told", || click(&leader) == 503);
}

#[test]
fn a_bucket_that_lost_its_objects_is_noticed() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    let second = first.another();
    drop(second.serve());
    drop(leader);
    for name in first.bucket.names() {
        first.bucket.remove(&name);
    }
    let said = second.refusal();
    assert!(
        said.contains("has lost the objects of the cluster"),
        "{said}"
    );
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(first.shop.file(&format!("deals.sqlite{ending}")));
    }
    let said = first.refusal();
    assert!(
        said.contains("has lost the objects of the cluster"),
        "{said}"
    );
}
