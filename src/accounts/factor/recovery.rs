//! Recovery codes, like `4F7K-QX2M-9B`: 50 random bits in the letters of Crockford's base 32, which
//! has no letter that looks like a digit.

use crate::accounts::AccountError;
use crate::accounts::secrets::random;

/// Number of codes of an account.
pub(super) const CODES: usize = 10;
const LENGTH: usize = 10;
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Makes a code, in the form in which it is compared.
pub(super) fn new_code() -> Result<String, AccountError> {
    let bytes: [u8; LENGTH] = random()?;
    let letter = |byte: u8| char::from(LETTERS[usize::from(byte) % LETTERS.len()]);
    Ok(bytes.into_iter().map(letter).collect())
}

/// Returns a code as people see it.
pub(super) fn in_groups(code: &str) -> String {
    let letters: Vec<char> = code.chars().collect();
    let groups: Vec<String> = letters
        .chunks(4)
        .map(|group| group.iter().collect())
        .collect();
    groups.join("-")
}

/// Returns a typed code in the form in which it is compared; `None` if it can be none.
pub(super) fn parse(typed: &str) -> Option<String> {
    let is_between = |letter: &char| letter.is_whitespace() || *letter == '-';
    let letters = typed
        .chars()
        .filter(|letter| !is_between(letter))
        .map(|letter| match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        });
    let code: String = letters.take(LENGTH + 1).collect();
    let is_code = code.len() == LENGTH && code.bytes().all(|letter| LETTERS.contains(&letter));
    is_code.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recovery_codes_are_parsed_with_spaces_hyphens_and_any_case() {
        let code = new_code().unwrap();
        assert_eq!(in_groups("0123456789"), "0123-4567-89");
        assert_eq!(parse(&in_groups(&code)), Some(code.clone()));
        assert_eq!(parse(&code.to_lowercase()), Some(code));
        assert_eq!(parse(" oiL1-a b c d-ef "), Some("0111ABCDEF".to_owned()));
        for wrong in [
            "",
            "0123-4567-8",
            "0123-4567-890",
            "0123-4567-8U",
            "123456",
            "0123456７8",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
