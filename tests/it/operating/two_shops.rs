//! Two shops on different ports of one host.

use reqwest::Method;

use crate::support::people::{People, Someone};

fn status(people: &People, cookie: &str) -> u16 {
    let request = people.request(Method::GET, "/user/sessions");
    request
        .header("cookie", cookie)
        .send()
        .unwrap()
        .status()
        .as_u16()
}

#[test]
fn shops_on_two_ports_of_one_host_keep_both_sessions() {
    let (one, other) = (People::new(), People::new());
    let join = |people: &People| -> Someone { people.join_as_admin("owner@example.com") };
    let cookies = [join(&one), join(&other)].map(|owner| owner.cookie);
    let names = cookies
        .each_ref()
        .map(|cookie| cookie.split('=').next().unwrap());
    assert_ne!(names[0], names[1]);
    // A browser sends both to each.
    let both = cookies.join("; ");
    assert_eq!((status(&one, &both), status(&other, &both)), (200, 200));
    assert_eq!(status(&one, &cookies[1]), 401);
    // Another port of the same shop knows its cookie, and one as older versions named it.
    let (_, one) = one.restart();
    assert_eq!(status(&one, &cookies[0]), 200);
    let secret = cookies[0].split('=').nth(1).unwrap();
    assert_eq!(status(&one, &format!("session={secret}")), 200);
}
