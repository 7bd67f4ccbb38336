//! Each option and variable with values that people write by mistake.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use clap::CommandFactory;

use crate::support::harness::{Shop, misused, product, text};

const ODD: [&str; 24] = [
    " ",
    "\"false\"",
    "'x'",
    "false\r",
    "disabled",
    "never",
    "-1",
    "0",
    "70000",
    "99999999999999999999",
    "1.5",
    "http://",
    "http://x y",
    "localhost",
    "*:80",
    ":8080",
    "::1:80",
    "s3:/bucket",
    "s3://",
    "user@host:/path",
    "$HOME",
    "%s%n",
    "ॐ\u{202e}",
    "a=b,c;d",
];

/// Runs a command that may have been told to serve: the port is taken, so that it ends.
fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

fn is_answered(output: &Output, about: &str) {
    let said = text(&output.stderr) + &text(&output.stdout);
    assert_eq!(output.status.signal(), None, "{about}: {said}");
    assert!(output.status.code().unwrap() <= 2, "{about}: {said}");
    assert!(!said.contains("panicked"), "{about}: {said}");
    assert!(
        output.status.success() || said.len() > 10,
        "{about}: {said:?}"
    );
}

/// Calls `each` for every subcommand without ones of its own, with its names.
fn leaves(
    command: &clap::Command,
    names: &mut Vec<String>,
    each: &mut dyn FnMut(&clap::Command, &[String]),
) {
    if !command.has_subcommands() {
        each(command, names);
    }
    for sub in command.get_subcommands() {
        names.push(sub.get_name().to_owned());
        leaves(sub, names, each);
        names.pop();
    }
}

/// Runs commands, four at a time, and checks what each says.
fn try_all(commands: Vec<(String, Command)>) {
    let commands = Mutex::new(commands);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let next = commands.lock().unwrap().pop();
                    let Some((about, mut command)) = next else {
                        return;
                    };
                    is_answered(&run(&mut command), &about);
                }
            });
        }
    });
}

#[test]
fn no_value_of_an_option_or_variable_makes_a_command_panic() {
    let shop = Shop::with(&[product(1)]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let mut seen = BTreeSet::new();
    let mut variables = BTreeSet::new();
    let mut commands = Vec::new();
    let mut definition = deals::cli::Cli::command();
    definition.build();
    leaves(&definition, &mut Vec::new(), &mut |command, names| {
        let needed = command.get_positionals().filter(|it| it.is_required_set());
        let needed: Vec<&str> = needed.map(|_| "x").collect();
        for option in command.get_opts() {
            variables.extend(option.get_env().map(ToOwned::to_owned));
            let long = option.get_long().unwrap();
            // Options of several commands are defined once.
            if !seen.insert((long.to_owned(), option.get_help().map(ToString::to_string))) {
                continue;
            }
            for value in ODD {
                let mut program = shop.command();
                program.env("DEALS_LISTEN", &taken).args(names);
                program.arg(format!("--{long}={value}")).args(&needed);
                commands.push((format!("{names:?} --{long}={value:?}"), program));
            }
        }
    });
    assert!(
        seen.len() > 40 && variables.len() > 25,
        "{seen:?} {variables:?}"
    );
    variables.insert("DEALS_LOG".into());
    for variable in variables {
        for value in ODD {
            let mut program = shop.command();
            program.env("DEALS_LISTEN", &taken).arg("serve");
            program.env(&variable, value);
            commands.push((format!("{variable:?}={value:?}"), program));
        }
    }
    try_all(commands);
}

#[test]
fn boolean_variables_accept_eight_words_only() {
    let shop = Shop::with(&[product(1)]);
    let definition = deals::cli::Cli::command();
    let serve = definition.find_subcommand("serve").unwrap();
    let switches = serve
        .get_arguments()
        .filter(|it| !it.get_action().takes_values());
    let switches: Vec<_> = switches.filter_map(clap::Arg::get_env).collect();
    assert!(switches.len() >= 5, "{switches:?}");
    for switch in switches {
        let serve = |value: &str| {
            let mut program = shop.command();
            program.args(["check"]).env(switch, value);
            run(&mut program)
        };
        for word in ["true", "Yes", "ON", "1", "false", "no", "Off", "0"] {
            let output = serve(word);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{switch:?}={word}: {}",
                text(&output.stdout)
            );
        }
        for word in [
            "\"false\"",
            "false ",
            "false\r",
            "disabled",
            "none",
            "never",
            "y",
            "2",
            "t",
        ] {
            let said = misused(serve(word));
            assert!(said.contains("write"), "{switch:?}={word:?}: {said}");
        }
    }
}

#[test]
fn invalid_bucket_variables_are_named() {
    let shop = Shop::with(&[product(1)]);
    for (name, value) in [
        ("AWS_ENDPOINT_URL", "minio.example:9000"),
        ("AWS_ENDPOINT_URL", "127.0.0.1:9000"),
        ("AWS_ENDPOINT_URL", "ftp://x.example"),
        ("AWS_ENDPOINT_URL", "\"https://x.example\""),
        ("AWS_ENDPOINT_URL_S3", "https://x.example?a"),
        ("AWS_REGION", "eu central"),
        ("AWS_REGION", "x/../y?"),
        ("AWS_SESSION_TOKEN", "a\nb"),
        ("AWS_ACCESS_KEY_ID", "key\r"),
        ("AWS_SECRET_ACCESS_KEY", "'secret'"),
        ("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "maybe"),
        ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "http://x"),
        ("AWS_METADATA_ENDPOINT", "169.254.169.254"),
    ] {
        for arguments in [
            &["backup", "--test", "s3://bucket/shop"][..],
            &["check", "--backup-dir", "s3://bucket/shop"],
            &[
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--backup-dir",
                "s3://bucket/shop",
            ],
        ] {
            let mut program = shop.command();
            program.args(arguments);
            program
                .env("AWS_ACCESS_KEY_ID", "key")
                .env("AWS_SECRET_ACCESS_KEY", "secret");
            let said = misused(run(program.env(name, value)));
            assert!(said.contains(name) && !said.contains("panicked"), "{said}");
        }
    }
}

#[test]
fn invalid_listen_addresses_are_refused_with_the_right_form() {
    let shop = Shop::with(&[product(1)]);
    for option in ["--listen", "--metrics-listen", "--redirect-from"] {
        for wrong in [
            "8080",
            ":8080",
            "localhost",
            "127.0.0.1",
            "http://127.0.0.1:80",
            "*:80",
            "::1:8080",
            "127.0.0.1:70000",
            "256.1.1.1:80",
            "127.0.0.1:80/",
        ] {
            let said = misused(shop.run(&["serve", &format!("{option}={wrong}")]));
            assert!(
                said.contains(wrong) && said.contains("like 127.0.0.1:8080"),
                "{said}"
            );
        }
    }
    for (option, wrong, form) in [
        ("--backup-keep", "0", "from 1 to 65535"),
        ("--connections-per-address", "many", "whole number"),
        ("--shared-cache", "1h", "from 1 to 86400"),
        ("--acme-directory", "acme.example.com", "https://"),
        (
            "--public-url",
            "https://*.example.com",
            "https://deals.example.com",
        ),
    ] {
        let said = misused(shop.run(&["serve", &format!("{option}={wrong}")]));
        assert!(said.contains(wrong) && said.contains(form), "{said}");
    }
}
