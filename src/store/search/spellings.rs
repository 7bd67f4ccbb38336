//! Other ways to write what was typed: "tshirt" and "t shirt", "iphone15" and "iphone 15".

/// Ways that are looked for besides the one that was typed.
const MOST: usize = 3;

/// The words as they were typed, then with two that stand side by side written as one, and
/// with a word cut where a single letter ends or begins, or digits do; only where the index
/// `has` every word that this makes.
pub(crate) fn spellings<E>(
    words: &[String],
    mut has: impl FnMut(&str) -> Result<bool, E>,
) -> Result<Vec<Vec<String>>, E> {
    let mut all = vec![words.to_vec()];
    for at in 0..words.len() {
        if all.len() > MOST {
            break;
        }
        if let Some(next) = words.get(at + 1) {
            let joined = format!("{}{next}", words[at]);
            if has(&joined)? {
                all.push(replaced(words, at, 2, &[joined]));
            }
        }
        for (left, right) in natural_cuts(&words[at]) {
            if has(left)? && has(right)? {
                all.push(replaced(words, at, 1, &[left.to_owned(), right.to_owned()]));
            }
        }
    }
    all.truncate(1 + MOST);
    Ok(all)
}

/// The words with some of them, from an index on, replaced by others.
fn replaced(words: &[String], at: usize, count: usize, by: &[String]) -> Vec<String> {
    [&words[..at], by, &words[at + count..]].concat()
}

/// Every way to cut a word in two.
pub(crate) fn cuts(word: &str) -> impl Iterator<Item = (&str, &str)> {
    let middles = word.char_indices().skip(1);
    middles.map(|(at, _)| word.split_at(at))
}

fn natural_cuts(word: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    cuts(word).filter(move |(left, right)| {
        let (before, after) = (left.chars().next_back(), right.chars().next());
        let is_letter_alone = left.chars().count() == 1 || right.chars().count() == 1;
        is_digit(before) != is_digit(after)
            || is_letter_alone && !is_digit(before) && !is_digit(after)
    })
}
