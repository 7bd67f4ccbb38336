//! A day of a shop: everything that goes out, compared with a table.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use super::channels::Posting;
use super::channels::service::{Next, Received, Service};
use crate::subscribers::alerts::words;
use crate::subscribers::digests::{send_now, subscribe};
use crate::support::harness::{Shop, product_with, wait_until};
use crate::support::people::Someone;
use crate::support::times::{HOUR, after};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
/// Number of drafts, of which four go live in an hour.
const DRAFTS: usize = 40;

/// Kind of a message in a channel, and words of its text.
#[derive(Clone, Copy)]
enum Kind {
    Posted(&'static str),
    Changed(&'static str),
    Ended,
}
use Kind::{Changed, Ended, Posted};

/// Messages about a deal in Telegram and in Discord, in their order. Each other deal is posted once at ₹900.
const CHANNELS: [(usize, &[Kind], &[Kind]); 10] = [
    (
        2,
        &[Posted("₹900"), Changed("₹700")],
        &[Posted("₹900"), Changed("₹700")],
    ),
    (3, &[Posted("₹900"), Ended], &[Posted("₹900"), Ended]),
    (
        5,
        &[Posted("₹900"), Changed("₹950")],
        &[Posted("₹900"), Changed("₹950")],
    ),
    (
        6,
        &[Posted("₹900"), Changed("₹650")],
        &[Posted("₹900"), Changed("₹650")],
    ),
    (8, &[Posted("₹900"), Ended], &[Posted("₹900"), Ended]),
    (
        9,
        &[Posted("₹900"), Changed("₹500")],
        &[Posted("₹900"), Changed("₹500")],
    ),
    // Telegram took it, and the answer was lost.
    (21, &[Posted("₹900"), Posted("₹900")], &[Posted("₹900")]),
    // It became cheaper before Telegram had it.
    (22, &[Posted("₹750")], &[Posted("₹900"), Changed("₹750")]),
    (30, &[Posted("₹900"), Ended], &[Posted("₹900"), Ended]),
    (
        33,
        &[Posted("₹900"), Changed("₹990")],
        &[Posted("₹900"), Changed("₹990")],
    ),
];

/// Addresses with an account, and the mails that each of them gets about prices.
const WATCHERS: [&str; 3] = ["owner@example.com", "asha@example.com", "ravi@example.com"];
const ALERTS: [&str; 4] = [
    "₹700.00: Deal 02",
    "₹500.00: Deal 09",
    "₹650.00: Deal 06",
    "₹750.00: Deal 22",
];

/// Lists, the number of their subscribers, and the subject of the mail that each of them gets.
const DIGESTS: [(&str, &str, u32, &str); 2] = [
    ("reader", "category=Books", 150, "5 new deals: Books"),
    ("friend", "category=Clothing", 50, "1 new deal: Clothing"),
];

fn id(number: usize) -> String {
    format!("deal{number:02}")
}

fn deal(number: usize, changes: Value) -> Value {
    let mut deal = product_with(
        number,
        json!({"title": format!("Deal {number:02}"), "price": 1000, "discount": 10, "status": "live"}),
    );
    let fields = deal.as_object_mut().unwrap();
    fields.extend(changes.as_object().unwrap().clone());
    deal
}

struct Day {
    shop: Posting,
    discord: Service,
    /// Ids of the channels.
    telegram_id: String,
    discord_id: String,
    watchers: Vec<Someone>,
    /// Drafts that have gone live.
    live: usize,
}

impl Day {
    /// Starts with the drafts, with deals of yesterday evening, and with subscribers.
    fn begin() -> Self {
        let drafts = (1..=DRAFTS).map(|n| deal(n, json!({"_id": id(n), "status": "draft"})));
        let yesterday = after(-3 * HOUR);
        let news = (51..=56).map(|n| match n {
            56 => deal(
                n,
                json!({"title": "A saree", "category": "Clothing", "createdAt": yesterday}),
            ),
            _ => deal(n, json!({"category": "Books", "createdAt": yesterday})),
        });
        let products = Shop::with(&drafts.chain(news).collect::<Vec<_>>());
        send_now(&products);
        for (name, query, number, _) in DIGESTS {
            subscribe(&products, name, number, query);
        }
        let shop = Posting::at(products);
        let discord = Service::start();
        let telegram_id = shop.chat(json!({}));
        let hook = discord.url("/api/webhooks/1/secret");
        let discord_id = shop.add(&json!({"kind": "discord", "name": "Guild", "token": hook}));
        let others = WATCHERS[1..]
            .iter()
            .map(|email| shop.people.join_as_admin(email));
        let watchers = [shop.owner.clone()].into_iter().chain(others).collect();
        Self {
            shop,
            discord,
            telegram_id,
            discord_id,
            watchers,
            live: 0,
        }
    }

    /// Moves times of the database back, as if this time had passed. The digests depend on the hour of the
    /// day, which stays.
    fn pass(&self, time: i64) {
        self.shop.execute(&format!(
            "BEGIN IMMEDIATE; \
             UPDATE queue_rules SET last_at = last_at - {time}; \
             UPDATE outgoing SET next_at = next_at - {time}, created_at = created_at - {time} WHERE kind = 'post'; \
             UPDATE outgoing_waits SET until = until - {time} WHERE lane LIKE 'channel:%'; \
             UPDATE posts SET at = at - {time}, sent_at = sent_at - {time}; \
             UPDATE alerts SET told_at = told_at - {time}, wait_until = wait_until - {time}; \
             COMMIT"
        ));
    }

    /// Waits until every message that is due was sent or refused, and passes the seconds between two messages
    /// of a channel.
    fn settle(&self) {
        const NOW: &str = "unixepoch('subsec') * 1000";
        let waits = format!(
            "EXISTS (SELECT 1 FROM outgoing_waits AS waits WHERE waits.lane = outgoing.lane AND until > {NOW})"
        );
        let due = format!("SELECT count(*) FROM outgoing WHERE kind = 'post' AND next_at <= {NOW}");
        let blocked = format!("{due} AND {waits}");
        let news = "SELECT count(*) FROM channel_news";
        wait_until("every due message is settled", || {
            let is_settled = self.shop.number(news) == 0 && self.shop.number(&due) == 0;
            if !is_settled && self.shop.number(&blocked) > 0 {
                self.pass(3 * SECOND);
            }
            if !is_settled {
                // It has the queue looked at now, and not within a second.
                let results = self.shop.post_all(&self.discord_id, &["nothing"]);
                assert_eq!(results, ["not live"]);
            }
            is_settled
        });
    }

    /// Waits until the next draft of the queue is live, and its posts are settled.
    fn draft_goes_live(&mut self) {
        self.live += 1;
        let next = id(self.live);
        wait_until("the draft is live", || {
            let live = self.shop.people.server.list("category=Electronics&limit=1");
            live.first()
                .is_some_and(|first| first["_id"] == next.as_str())
        });
        self.settle();
        // Whatever became of the other channel.
        let posts = self.discord.received().len();
        let last = self.discord.received()[posts - 1].raw.clone();
        assert!(last.contains(&format!("Deal {:02}", self.live)), "{last}");
    }

    /// Has the drafts up to this one go live, one in fifteen minutes.
    fn until_draft(&mut self, number: usize) {
        while self.live < number {
            self.pass(15 * MINUTE);
            self.draft_goes_live();
        }
    }

    fn change(&self, number: usize, changes: Value) {
        self.shop.save(&id(number), &deal(number, changes));
        self.settle();
    }

    /// Has so many of the watchers wait for ₹800 or less.
    fn watch(&self, number: usize, watchers: usize) {
        for (email, someone) in WATCHERS.iter().zip(&self.watchers).take(watchers) {
            let body = json!({"ids": [id(number)], "target": 800, "email": email});
            let request = self.shop.people.request(Method::POST, "/alert").json(&body);
            let answer = request.header("cookie", &someone.cookie).send().unwrap();
            assert_eq!(answer.status(), 200, "{}", answer.text().unwrap());
        }
    }

    /// Has a watched deal cost less.
    fn fall(&self, number: usize, discount: u32) {
        self.watch(number, WATCHERS.len());
        self.change(number, json!({"discount": discount}));
    }

    fn end(&self, number: usize) {
        self.watch(number, 1);
        // Also cheaper, which is no news of a deal that is over.
        self.change(
            number,
            json!({"discount": 60, "endsAt": "2026-01-01T00:00:00Z"}),
        );
    }
}

/// The text of a message.
fn text_of(message: &Received) -> &str {
    let embed = message.body["embeds"][0]["description"].as_str();
    embed.unwrap_or_else(|| message.text("caption"))
}

/// The title of the deal that a text is about.
fn title_in(text: &str) -> String {
    let at = text.find("Deal ").unwrap_or_else(|| panic!("{text}"));
    text[at..at + "Deal 00".len()].to_owned()
}

/// Messages of a channel by deal, in their order. An edit belongs to the deal of the message that it changes.
fn by_deal(received: &[Received]) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for message in received {
        let text = text_of(message);
        let title = title_in(text);
        let edited = match message.call() {
            "sendPhoto" => None,
            "editMessageCaption" => message.body["message_id"].as_u64(),
            call if message.line.starts_with("PATCH ") => Some(call.parse().unwrap()),
            call => {
                assert_eq!(call, "secret?wait=true");
                None
            }
        };
        if let Some(number) = edited {
            let post = &received[usize::try_from(number).unwrap() - 1];
            assert_eq!(title_in(text_of(post)), title, "{text}");
        }
        let kind = match (edited, text.contains("ENDED")) {
            (None, false) => "posted",
            (Some(_), false) => "changed",
            (Some(_), true) => "ended",
            (None, true) => "posted as ended",
        };
        // The first price is that of now.
        let price = text.split('₹').nth(1).unwrap_or_default();
        let price: String = price.chars().take_while(char::is_ascii_digit).collect();
        found
            .entry(title)
            .or_default()
            .push(format!("{kind} {price}"));
    }
    found
}

/// The messages of a channel as the table has them.
fn expected(
    of: impl Fn(&(usize, &'static [Kind], &'static [Kind])) -> &'static [Kind],
) -> BTreeMap<String, Vec<String>> {
    let usual: &[Kind] = &[Posted("₹900")];
    let each = (1..=DRAFTS).map(|number| {
        let row = CHANNELS.iter().find(|row| row.0 == number);
        let kinds = row.map_or(usual, &of).iter().map(|kind| {
            let said = match kind {
                Posted(price) => format!("posted {price}"),
                Changed(price) => format!("changed {price}"),
                Ended => "ended ".to_owned(),
            };
            said.replace('₹', "")
        });
        (format!("Deal {number:02}"), kinds.collect())
    });
    each.collect()
}

#[test]
fn every_message_of_a_day_with_an_outage_is_that_of_the_table() {
    let mut day = Day::begin();
    let whole_day = json!({"from": "00:00", "to": "00:00", "perHour": 4});
    assert_eq!(day.shop.call(Method::PUT, "/queue", &whole_day).0, 200);
    let ids: Vec<String> = (1..=DRAFTS).map(id).collect();
    assert_eq!(
        day.shop
            .call(Method::POST, "/queue", &json!({"ids": ids}))
            .0,
        200
    );
    day.draft_goes_live();

    day.until_draft(5);
    day.fall(2, 30);
    day.until_draft(8);
    day.watch(5, 1);
    day.change(5, json!({"discount": 5}));
    day.until_draft(10);
    day.end(3);
    day.until_draft(12);
    day.fall(9, 50);

    // An outage of twenty minutes, which begins when the answer to a message is lost.
    day.until_draft(20);
    let telegram = &day.shop.service;
    telegram.then(Next::CutOff);
    telegram.set_down(true);
    day.until_draft(21);
    day.pass(5 * MINUTE);
    day.fall(6, 35);
    day.pass(5 * MINUTE);
    day.end(8);
    day.pass(5 * MINUTE);
    day.draft_goes_live();
    day.fall(22, 25);
    let shown = day.shop.shown(&day.telegram_id);
    assert_eq!(shown["lastError"], "Telegram answered with status 500.");
    assert_eq!(shown["waiting"], 2, "{shown}");
    assert_eq!(day.shop.shown(&day.discord_id)["lastError"], "");
    day.pass(5 * MINUTE);
    let telegram = &day.shop.service;
    telegram.set_down(false);
    let refused = telegram.refused();
    let refused: BTreeSet<String> = refused.iter().map(|it| title_in(text_of(it))).collect();
    let refused: Vec<&str> = refused.iter().map(String::as_str).collect();
    assert_eq!(refused, ["Deal 06", "Deal 08", "Deal 21", "Deal 22"]);

    day.until_draft(31);
    let path = format!("/product/delete-product/{}", id(30));
    assert_eq!(day.shop.call(Method::DELETE, &path, &json!({})).0, 200);
    day.settle();
    day.until_draft(35);
    day.watch(33, 1);
    day.change(33, json!({"discount": 1}));
    day.until_draft(DRAFTS);
    day.pass(2 * HOUR);
    day.settle();
    wait_until("nothing is to be sent", || {
        let left = "SELECT (SELECT count(*) FROM outgoing) + (SELECT count(*) FROM price_moves)";
        day.shop.number(left) == 0
    });

    assert_eq!(by_deal(&day.shop.service.received()), expected(|row| row.1));
    assert_eq!(by_deal(&day.discord.received()), expected(|row| row.2));
    for channel in [&day.telegram_id, &day.discord_id] {
        for post in day.shop.posts(channel) {
            let is_doubtful = post["id"] == "deal21" && channel == &day.telegram_id;
            let note = post["error"].as_str().unwrap();
            assert_eq!(
                (&post["state"], note.contains("twice")),
                (&json!("sent"), is_doubtful),
                "{post}"
            );
        }
    }

    let mut mails = BTreeMap::new();
    for mail in day.shop.people.mailbox.unread() {
        let to = mail.recipients[0]
            .split(['<', '>'])
            .nth(1)
            .unwrap()
            .to_owned();
        let subject = words(mail.subject());
        // A digest names the shop.
        let about = subject.split('·').next().unwrap().trim().to_owned();
        *mails.entry((to, about)).or_default() += 1;
    }
    let mut wanted = BTreeMap::new();
    for (name, _, number, subject) in DIGESTS {
        let each = (0..number).map(|n| format!("{name}{n}@example.com"));
        wanted.extend(each.map(|to| ((to, subject.to_owned()), 1)));
    }
    for to in WATCHERS {
        wanted.extend(ALERTS.map(|subject| ((to.to_owned(), subject.to_owned()), 1)));
    }
    assert_eq!(wanted.len(), 212);
    assert_eq!(mails, wanted);
}
