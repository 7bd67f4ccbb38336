//! Deals from outside: the form's address, the share sheet's target, a category for a title.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product_with};
use crate::support::people::People;

#[test]
fn a_new_deal_gets_the_category_of_the_deals_with_similar_titles() {
    let of = |n: usize, title: &str, category: &str| {
        product_with(n, json!({"title": title, "category": category}))
    };
    let shop = Shop::with(&[
        of(1, "Kavrel AirBud earbuds, black", "Electronics"),
        of(2, "Boltik earbuds with a case", "Electronics"),
        of(3, "Neelvasa black shirt", "Clothing"),
        of(4, "Neelvasa black jacket", "Clothing"),
        of(5, "Rangoli lamp for festivals", "Home"),
        of(6, "Rangoli lamp: a novel", "Books"),
    ]);
    let people = People::with(shop, &[]);
    let owner = people.join_as_admin("owner@example.com");
    let suggested = |words: &str| {
        let path = format!("/product/category-like?words={words}");
        let request = people.request(Method::GET, &path);
        let answer = request.header("cookie", &owner.cookie).send().unwrap();
        assert_eq!(answer.status(), 200);
        answer.json::<Value>().unwrap()
    };
    let electronics = json!({"category": "Electronics", "products": 2});
    assert_eq!(suggested("Earbuds+by+anyone"), electronics);
    // Two in black are shirts, but earbuds say more of earbuds.
    assert_eq!(suggested("Black+earbuds")["category"], "Electronics");
    assert_eq!(suggested("A+black+shirt")["category"], "Clothing");
    let none = json!({"category": null, "products": 0});
    for words in ["Rangoli+lamp", "kettle", "", "the", "%F0%9F%8E%89%22*"] {
        assert_eq!(suggested(words), none, "{words}");
    }
    let many = "earbuds+".repeat(900);
    assert_eq!(suggested(&many), electronics);
    let anonymous = people.server.get("/product/category-like?words=earbuds");
    assert_eq!(anonymous.status(), 401);
}

#[test]
fn a_deal_in_the_address_of_the_form_saves_nothing() {
    let shop = Shop::new();
    let server = shop.serve();
    let before = shop.run(&["export"]).stdout;
    let query = "title=Kettle&text=%3Cscript%3Ealert(1)%3C%2Fscript%3E&url=javascript%3Aalert(1)&price=499&mrp=999";
    let page = server
        .client()
        .get(server.url(&format!("/add-product?{query}")))
        .header("accept", "text/html")
        .send()
        .unwrap();
    assert_eq!(page.status(), 200);
    let page = page.text().unwrap();
    assert!(!page.contains("alert(1)"), "{page}");
    assert_eq!(shop.run(&["export"]).stdout, before);
}

#[test]
fn a_shared_text_opens_the_product_form_with_its_fields() {
    let shop = Shop::new();
    let server = shop.serve();
    let manifest = server.json("/manifest.webmanifest");
    let target = &manifest["share_target"];
    assert_eq!(target["method"], "POST");
    assert_eq!(target["enctype"], "multipart/form-data");
    let request = || {
        let path = server.url(target["action"].as_str().unwrap());
        server.client().post(path)
    };
    // As phones that installed the shop before it took photos.
    let share = |body: &str| {
        let kind = "application/x-www-form-urlencoded";
        let request = request().header("content-type", kind);
        request.body(body.to_owned()).send().unwrap()
    };
    let location = |body: &str| {
        let answer = share(body);
        assert_eq!(answer.status(), 303, "{body}");
        answer.headers()["location"].to_str().unwrap().to_owned()
    };
    assert_eq!(
        location("title=A+kettle&text=See%20https%3A%2F%2Famzn.in%2Fd%2F1&url="),
        "/add-product#title=A+kettle&text=See+https%3A%2F%2Famzn.in%2Fd%2F1&url="
    );
    // Nothing in a shared text ends the header or becomes another address.
    assert_eq!(
        location("text=a\r\nset-cookie: x=1"),
        "/add-product#text=a%0D%0Aset-cookie%3A+x%3D1"
    );
    assert_eq!(location(""), "/add-product#");
    assert_eq!(share(&"a".repeat(20_000)).status(), 413);
    // A photo of any size is left to the service worker.
    let form = |text: String| {
        let part = |name: &str, content: &str| {
            let head = "--x\r\ncontent-disposition: form-data; name=";
            format!("{head}{name}\r\n\r\n{content}\r\n")
        };
        let photo = "photo".repeat(600_000);
        let photo = part("\"photo\"; filename=\"photo.jpg\"", &photo);
        let body = [
            &part("title", "A kettle"),
            &photo,
            &part("text", &text),
            "--x--",
        ]
        .concat();
        let request = request().header("content-type", "multipart/form-data; boundary=x");
        request.body(body).send().unwrap()
    };
    let answer = form("Only & now".to_owned());
    assert_eq!(answer.status(), 303);
    let location = answer.headers()["location"].to_str().unwrap();
    assert_eq!(location, "/add-product#title=A+kettle&text=Only+%26+now");
    assert_eq!(form("a".repeat(20_000)).status(), 413);
    let shortcuts = manifest["shortcuts"].as_array().unwrap();
    for shortcut in shortcuts {
        let path = shortcut["url"].as_str().unwrap();
        assert_eq!(server.get(path).status(), 200, "{path}");
    }
    assert!(!shortcuts.is_empty());
}

/// Returns the text of a script, and its size compressed with Brotli.
fn script(server: &Server, path: &str) -> (String, u64) {
    let text = server.get(path).text().unwrap();
    let request = server.client().get(server.url(path));
    let packed = request.header("accept-encoding", "br").send().unwrap();
    assert_eq!(packed.headers()["content-encoding"], "br", "{path}");
    (text, packed.content_length().unwrap())
}

/// Returns the path of the script with this name that another one imports.
fn imported(script: &str, name: &str) -> String {
    let start = format!("{name}-");
    let mut names = script.split(&start).skip(1);
    // Not of a script whose name only begins so.
    let hash = names.find_map(|rest| rest.split(".js").next().filter(|hash| hash.len() == 8));
    format!("/assets/{start}{}.js", hash.unwrap())
}

#[test]
fn the_capture_script_has_at_most_seven_kilobytes() {
    let shop = Shop::new();
    let server = shop.serve();
    let page = server.client().get(server.url("/"));
    let page = page.header("accept", "text/html").send().unwrap();
    let (first, _) = script(&server, &imported(&page.text().unwrap(), "index"));
    let (main, _) = script(&server, &imported(&first, "main"));
    let (office, _) = script(&server, &imported(&main, "office"));
    let (captured, bytes) = script(&server, &imported(&office, "captured-deal"));
    assert!(captured.contains("robot check"));
    assert!(bytes <= 7_168, "{bytes}");
    let (screen, _) = script(&server, &imported(&office, "capture-page"));
    assert!(screen.contains("SHOP_ADDRESS"));
    for other in [first, main, office] {
        assert!(!other.contains("SHOP_ADDRESS") && !other.contains("robot check"));
    }
}
