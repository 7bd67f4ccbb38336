//! Machines that take over from one that is gone, or may not, and go on answering.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cluster::{Machine, click, leads};
use super::{clicks, wait_for_clicks};
use crate::support::bucket::error;
use crate::support::harness::{Server, fails, wait_until};
use crate::support::mounts::{can_mount, with_mounts};

/// Asks others to take over from the first leader, which is gone.
fn release(first: &Machine) {
    first.bucket.put("shop/alive/00000001", b"1 released");
}

fn does_not_lead(first: &Machine, follower: &Server) {
    wait_until("visitors are answered", || {
        follower.get("/").status() == 200
    });
    assert!(!leads(follower));
    assert_eq!(first.names("epoch/"), 1);
}

#[test]
fn of_two_machines_that_follow_one_takes_over_and_the_other_follows_it() {
    let first = Machine::first();
    let leader = first.serve();
    let others = [first.another(), first.another()];
    let servers = others.each_ref().map(Machine::serve);
    assert_eq!(click(&leader), 200);
    drop(leader);
    release(&first);
    let leading = || servers.iter().position(|it| leads(it) && click(it) == 200);
    wait_until("one leads", || leading().is_some());
    let winner = leading().unwrap();
    wait_for_clicks(&servers[1 - winner], clicks(&servers[winner]));
    assert!(clicks(&servers[winner]) > 1);
    assert!(!leads(&servers[1 - winner]));
    assert_eq!(first.names("epoch/"), 2);
}

#[test]
fn after_all_machines_were_killed_one_that_followed_takes_over() {
    let first = Machine::first();
    let leader = first.serve();
    let second = first.another();
    let follower = second.serve();
    for _ in 0..3 {
        assert_eq!(click(&leader), 200);
    }
    drop((leader, follower));
    let follower = second.serve();
    wait_for_clicks(&follower, 3);
    wait_until("it leads", || leads(&follower) && click(&follower) == 200);
    let back = first.serve();
    // Clicks that got 503 may have been saved too.
    let counted = clicks(&follower);
    assert!(counted > 3);
    wait_for_clicks(&back, counted);
    assert!(!leads(&back) && leads(&follower));
}

#[test]
fn files_that_are_damaged_or_gone_are_not_taken_over_from() {
    let first = Machine::first();
    let leader = first.serve();
    let second = first.another();
    drop(second.serve());
    for _ in 0..3 {
        assert_eq!(click(&leader), 200);
    }
    drop(leader);
    release(&first);
    let names = first.bucket.names().into_iter();
    let names: Vec<_> = names.filter(|name| name.ends_with(".ltx")).collect();
    let [.., before, newest] = &names[..] else {
        panic!("{names:?}");
    };
    let whole = first.bucket.object(newest);
    let mut altered = whole.clone();
    altered[200] ^= 1;
    for damaged in [&altered, &whole[..whole.len() / 2]] {
        first.bucket.put(newest, damaged);
        let follower = second.serve();
        follower.wait_for_line(newest.rsplit('/').next().unwrap());
        does_not_lead(&first, &follower);
    }
    first.bucket.put(newest, &whole);
    let kept = first.bucket.object(before);
    first.bucket.remove(before);
    let said = first.another().refusal();
    assert!(said.contains("the files end at transaction"), "{said}");
    first.bucket.put(before, &kept);
    let follower = second.serve();
    wait_until("it leads", || leads(&follower));
    assert_eq!(clicks(&follower), 3);
}

#[test]
fn a_bucket_that_fails_now_and_then_does_not_keep_a_machine_from_taking_over() {
    let first = Machine::first();
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    let second = first.another();
    let follower = second.serve();
    drop(leader);
    let looks = AtomicUsize::new(0);
    first.bucket.fault(move |request| {
        let is_look = request.key.contains("alive/00000001");
        let is_eighth = is_look && looks.fetch_add(1, Ordering::SeqCst) % 8 == 7;
        is_eighth.then(|| error(403, "AccessDenied", ""))
    });
    wait_until("it leads", || leads(&follower));
}

#[test]
fn an_older_program_does_not_take_over_from_a_newer_one() {
    let first = Machine::first();
    let leader = first.serve();
    let second = first.another();
    let follower = second.serve();
    assert_eq!(click(&leader), 200);
    wait_for_clicks(&follower, 1);
    drop(leader);
    let newer = "ALTER TABLE setup_checks ADD COLUMN note TEXT; PRAGMA user_version = 9999";
    first.shop.database().execute_batch(newer).unwrap();
    first.engine.send();
    follower.wait_for_line("a newer version of deals");
    release(&first);
    follower.wait_for_line("a newer version of deals");
    does_not_lead(&first, &follower);
}

#[test]
fn a_socket_that_is_not_ours_is_named_with_what_to_do() {
    let first = Machine::first();
    let socket = &first.engine.socket;
    fs::set_permissions(socket, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = first.command("serve", &[]);
    if rustix::process::geteuid().is_root() {
        const NOBODY: u32 = 65_534;
        let entries = fs::read_dir(first.shop.folder()).unwrap();
        for path in entries.map(|entry| entry.unwrap().path()) {
            chown(path, Some(NOBODY), None).unwrap();
        }
        chown(first.shop.folder(), Some(NOBODY), None).unwrap();
        chown(socket, Some(0), None).unwrap();
        command.uid(NOBODY);
    }
    let said = fails(command.output().unwrap());
    assert!(
        said.contains("run it with this socket as the user"),
        "{said}"
    );
    assert!(said.contains("Permission denied"), "{said}");
    fs::remove_file(socket).unwrap();
    fs::write(socket, "").unwrap();
    let said = first.refusal();
    assert!(said.contains("Connection refused"), "{said}");
    assert_eq!(first.names("epoch/"), 0);
}

#[test]
fn a_machine_that_can_not_write_to_its_disk_leaves_the_lead_to_another() {
    let script =
        r#"mount --bind "$PWD" "$PWD"; mount -o remount,ro,bind "$PWD"; cd "$PWD"; exec "$@""#;
    let first = Machine::first();
    if !can_mount(script, &first.shop.command()) {
        return;
    }
    let leader = first.serve();
    assert_eq!(click(&leader), 200);
    let second = first.another();
    let follower = second.serve();
    drop(leader);
    let stuck = Server::start(with_mounts(script, &first.command("serve", &[])));
    assert_eq!(clicks(&stuck), 1);
    assert_eq!(click(&stuck), 503);
    wait_until("the other leads", || leads(&follower));
    assert_eq!(click(&follower), 200);
}
