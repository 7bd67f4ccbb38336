//! Parses discounts and ratings in search text: "50% off", "4 stars and above".

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::Discount;

/// Returns the lowest discount and the phrase that states it; a share without such words is of the thing, like
/// “100% cotton”.
pub(super) fn discount_in(text: &str) -> Option<(Discount, String)> {
    static DISCOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let percent = r"(\d{1,2})\s*(?:%|percent\b|per\s+cent\b)";
        let off = r"\s*(?:off|discount|(?:ki\s+)?ch?hoot)(?:\s+(?:or|and)\s+(?:more|above))?";
        let more = r"\s*(?:\+|(?:or|and)\s+(?:more|above))(?:\s*off)?";
        let least = r"(?:min(?:imum|\.)?|at\s+least|flat|above|over)\s+";
        Regex::new(&format!(
            r"(?i)(?:^|\s)(?:{least})?{percent}(?:{off}|{more})(?:\s|$)"
        ))
        .ok()
    });
    let found = DISCOUNT.as_ref()?.captures(text)?;
    let percent: f64 = found[1].parse().ok()?;
    Some((Discount::from_percent(percent)?, found[0].trim().to_owned()))
}

/// Returns the lowest rating in whole stars and the phrase that states it. Without words like "above" only 4 counts,
/// as "5 star" is a name; beside appliances, stars are of energy.
pub(super) fn rating_in(text: &str) -> Option<(u8, String)> {
    static RATING: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let least = r"(min(?:imum|\.)?|at\s+least|above|over|rat(?:ed|ing)(?:\s+above)?)\s+";
        let stars = r"([1-5])(?:\.\d)?\s*(\+)?\s*(?:(stars|★|rating|ratings)|star)";
        let more = r"\s*(\+|(?:or|and|&)\s+(?:up|more|above|higher)|se\s+(?:upar|jyada|zyada)|rat(?:ed|ings?))";
        Regex::new(&format!(
            r"(?i)(?:^|\s)(?:{least})?{stars}(?:{more})?(?:\s|$)"
        ))
        .ok()
    });
    let found = RATING.as_ref()?.captures(text)?;
    let stars: u8 = found[2].parse().ok()?;
    let is_said = [1, 3, 4, 5].into_iter().any(|at| found.get(at).is_some());
    let labelled = |word: &str| LABELLED.split_whitespace().any(|label| label == word);
    let is_label = text.to_lowercase().split_whitespace().any(labelled);
    (!is_label && (is_said || stars == 4)).then(|| (stars, found[0].trim().to_owned()))
}

/// Words of things whose stars are of energy, or of hotels.
const LABELLED: &str = "ac acs conditioner conditioners cooler coolers fan fans fridge fridges refrigerator \
    refrigerators freezer geyser geysers heater heaters washing machine inverter ton bee energy hotel hotels";
