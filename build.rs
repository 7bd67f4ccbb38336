//! Builds the front end into `$OUT_DIR/site`, from where the program embeds it, the screens that the
//! server renders into `$OUT_DIR/server.js`, and the list of crawlers into `$OUT_DIR/agents.txt`.
//!
//! Runs again only when something that goes into the front end changed, and runs
//! `npm ci` only when the lock file did.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Paths that the build reads, from `frontend/`; never the folder itself, because
/// `npm ci` writes into it.
const INPUTS: [&str; 11] = [
    "src",
    "ssr",
    "worker",
    "bookmark",
    "public",
    "build",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "../assets/link-rules.json",
];
/// Node.js versions that Vite 8 needs.
const NODE: (u32, u32) = (20, 19);
/// With this value of `DEALS_WEB` the program is built with an empty page, for
/// work on the server where Node is not at hand.
const SKIP: &str = "skip";
/// First line of the server's bundle that this program can run: `frontend/ssr/vite.config.ts` writes it.
const SERVER_BUNDLE: &str = "/* deals-server-bundle 1 */\n";

fn main() {
    if let Err(error) = build() {
        for line in error.to_string().lines() {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-env=DEALS_COMMIT={}", commit()?);
    let frontend = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("frontend");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let [site, agents, server] = ["site", "agents.txt", "server.js"].map(|name| out.join(name));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DEALS_WEB");
    for input in INPUTS {
        println!("cargo::rerun-if-changed={}", frontend.join(input).display());
    }
    if std::env::var("DEALS_WEB").is_ok_and(|value| value == SKIP) {
        fs::create_dir_all(&site)?;
        fs::write(
            site.join("index.html"),
            "<!doctype html><!--parts--><!--/parts--><!--head--><div id=\"root\"><!--root--></div><!--served-->",
        )?;
        fs::write(agents, "")?;
        let refusal = "throw new Error('built without the front end')";
        let stub = format!("{SERVER_BUNDLE}globalThis.render = () => {{ {refusal}; }};\n");
        fs::write(server, stub)?;
        println!("cargo::warning=built without the front end, because DEALS_WEB=skip");
        return Ok(());
    }
    check_node()?;
    // A second cargo, like an editor's, must not install into the same folder.
    let lock_file = frontend.join("package-lock.json");
    let guard = File::open(&lock_file)?;
    guard.lock()?;
    install(&frontend, &lock_file)?;
    bundle(&frontend, &site, &agents)?;
    bundle_server(&frontend, &out)?;
    check_server(&server)
}

/// The commit that is built, for `deals --version`; `unknown` outside a repository, where
/// the variable of the same name can tell it.
fn commit() -> Result<String, Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=DEALS_COMMIT");
    if let Ok(commit) = std::env::var("DEALS_COMMIT")
        && !commit.is_empty()
    {
        return Ok(commit);
    }
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    // Written with each commit and each change of branch.
    let log = root.join(".git/logs/HEAD");
    if log.exists() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    let told = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .current_dir(root)
        .output();
    Ok(match told {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    })
}

fn check_node() -> Result<(), Box<dyn Error>> {
    let (major, minor) = NODE;
    let advice = format!(
        "Building the front end needs Node.js {major}.{minor} or newer, with npm: https://nodejs.org"
    );
    let output = Command::new("node")
        .arg("--version")
        .output()
        .map_err(|error| format!("node could not be started: {error}.\n{advice}"))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut parts = version
        .trim_start_matches('v')
        .split('.')
        .map_while(|part| part.parse::<u32>().ok());
    let found = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    if found < NODE {
        return Err(format!("This is Node.js {version}.\n{advice}").into());
    }
    Command::new("npm")
        .arg("--version")
        .output()
        .map_err(|error| format!("npm could not be started: {error}.\n{advice}"))?;
    Ok(())
}

/// Installs the packages of the lock file, unless they are there already.
fn install(frontend: &Path, lock_file: &Path) -> Result<(), Box<dyn Error>> {
    let stamp = frontend.join("node_modules/.installed-from");
    let wanted = fs::read(lock_file)?;
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(
        Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund"])
            .current_dir(frontend),
        "npm ci",
    )?;
    fs::write(stamp, wanted)?;
    Ok(())
}

fn bundle(frontend: &Path, site: &Path, agents: &Path) -> Result<(), Box<dyn Error>> {
    run(
        Command::new("node")
            .args(["node_modules/vite/bin/vite.js", "build", "--outDir"])
            .arg(site)
            .args(["--emptyOutDir", "--logLevel", "warn"])
            .env("AGENTS", agents)
            .current_dir(frontend),
        "The front end's build",
    )
}

/// Builds the screens that the server renders, beside the site.
fn bundle_server(frontend: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    run(
        Command::new("node")
            .args(["node_modules/vite/bin/vite.js", "build"])
            .args(["--config", "ssr/vite.config.ts", "--logLevel", "warn"])
            .arg("--outDir")
            .arg(out)
            .current_dir(frontend),
        "The build of the server's screens",
    )
}

/// Refuses a bundle that is not made for this program.
fn check_server(server: &Path) -> Result<(), Box<dyn Error>> {
    let script = fs::read_to_string(server)?;
    if script.starts_with(SERVER_BUNDLE) {
        return Ok(());
    }
    let first = script.lines().next().unwrap_or_default();
    Err(format!(
        "{} begins with {first:?}, not with {SERVER_BUNDLE:?}",
        server.display()
    )
    .into())
}

fn run(command: &mut Command, what: &str) -> Result<(), Box<dyn Error>> {
    let output = command
        .output()
        .map_err(|error| format!("{what} could not be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{what} failed ({}):\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
    .into())
}
