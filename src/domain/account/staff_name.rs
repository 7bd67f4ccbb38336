//! Names of administrators and editors, by which the activity log tells them apart.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use crate::domain::is_invisible;

/// Actors of the activity log without an account.
const RESERVED: [&str; 4] = ["the server", "server", "command line", "key"];
/// Beginning of the names of API keys there.
const KEY: &str = "key:";

/// Checks the name of somebody who becomes an administrator or editor beside `others`.
///
/// # Errors
///
/// The message of the violated rule.
pub fn check_staff_name(name: &str, others: &[String]) -> Result<(), String> {
    if name.chars().any(|c| c != ' ' && is_invisible(c)) {
        return Err(format!(
            "The name {name:?} has invisible characters, which those of administrators and editors \
             must not have. Write it without them."
        ));
    }
    let shapes = shapes(name);
    if shapes.iter().any(|shape| shape.starts_with(KEY))
        || RESERVED.iter().any(|reserved| is_alike(&shapes, reserved))
    {
        return Err(format!(
            "{name:?} is reserved: the activity log calls programs or the server so. Choose another \
             name."
        ));
    }
    match others.iter().find(|other| is_alike(&shapes, other)) {
        Some(other) => Err(format!(
            "{name:?} looks like {other:?}, the name of another administrator or editor. Choose \
             another one."
        )),
        None => Ok(()),
    }
}

/// Returns what the eye sees of a name: without spaces, case and differences of look-alike letters
/// (UTS #39). Letters look alike in one case only, so each case has its shape.
fn shapes(name: &str) -> [String; 3] {
    let plain: String = name.nfkc().filter(|c| !is_invisible(*c)).collect();
    let cases = [plain.to_lowercase(), plain.to_uppercase(), plain];
    cases.map(|it| skeleton(&it).collect::<String>().to_lowercase())
}

fn is_alike(shapes: &[String; 3], other: &str) -> bool {
    self::shapes(other).iter().any(|it| shapes.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staff_names_that_look_like_other_names_are_refused() {
        let others = ["lakshmi".to_owned(), "Åsa Rao".to_owned()];
        for name in [
            "lakshmi",
            "LAKSHMI",
            "Lakshmi ",
            "lak shmi",
            "Iakshmi",
            "1akshmi",
            "lаkshmi",
            "ｌａｋｓｈｍｉ",
            "𝐥𝐚𝐤𝐬𝐡𝐦𝐢",
            "A\u{30a}sa  Rao",
            "åsa rao",
            "the server",
            "The Server",
            "Тhe server",
            "ｔｈｅ　ｓｅｒｖｅｒ",
            "command line",
            "Command Line",
            "key: nightly",
            "KEY : nightly",
            "kеy: nightly",
            "КЕУ: nightly",
            "key\u{a789} nightly",
            "ｋｅｙ：nightly",
            "lakshmi\u{200b}",
            "mira\u{200d}",
            "mi\u{ad}ra",
            "mira\u{2060}",
            "\u{202e}arim",
            "mira\u{a0}rao",
            "mira\u{fe0f}",
            "mira\u{e0061}",
        ] {
            assert!(check_staff_name(name, &others).is_err(), "{name:?}");
        }
    }

    #[test]
    fn other_names_in_any_script_are_accepted() {
        let others = ["lakshmi".to_owned(), "owner".to_owned()];
        for name in [
            "mira",
            "Asha Rao",
            "लक्ष्मी",
            "ലക്ഷ്മി",
            "Лакшми",
            "O'Brien",
            "José",
            "keyan",
            "serverina",
            "lakshmi2",
            "管理者",
        ] {
            assert_eq!(check_staff_name(name, &others), Ok(()), "{name:?}");
        }
    }
}
