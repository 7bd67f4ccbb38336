//! Tells from a title whether a product is the thing searched, is made for it, or only has it.

use crate::domain::for_each_word;
use crate::store::search::shop_words::{Accessory, accessory, is_for, is_person, is_with};

/// Words between a thing and an accessory after which they are no longer one name.
const MOST_BETWEEN: u16 = 8;

/// Relation of a product to the thing searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Thing,
    /// A laptop for “keyboard”, if the title says “with keyboard”.
    HasIt,
    /// A sleeve for “laptop”.
    MadeForIt,
    /// A kurta for “red shoes”, if only its description names them.
    OtherThing,
}

/// Returns the purpose of a product by its title; `searched` has the positions of the thing there, from
/// 1. One that is an accessory itself, like a mouse, is judged by the next word only.
pub(super) fn purpose(title: &str, searched: &[u16], is_accessory: bool) -> Purpose {
    let mut at = 0_u16;
    let (mut follows_for, mut is_made_for, mut comes_with) = (false, false, false);
    // Position of the thing, until a “|”, bracket or comma. “Laptop, phone cable” names two things.
    let mut thing: Option<u16> = None;
    let (mut made, mut is_first) = (false, true);
    let mut found = Purpose::Thing;
    for_each_word(title, |gap, word| {
        at += 1;
        let is_list = gap.contains(',') && thing.is_some_and(|thing| at == thing + 1);
        if gap.contains(['|', '(', '[', ',']) && !is_list {
            thing = None;
        }
        if follows_for && !is_person(word) && !is_with(word) {
            is_made_for = true;
        }
        follows_for = is_for(word) || follows_for && is_with(word);
        comes_with |= is_with(word) && !follows_for;
        if searched.contains(&at) {
            if is_first && (is_made_for || made) {
                found = Purpose::MadeForIt;
            } else if is_first && comes_with {
                found = Purpose::HasIt;
            }
            is_first = false;
            thing = Some(at);
        } else if let Some(kind) = accessory(word) {
            let is_loose = kind == Accessory::Anywhere && !is_accessory && !is_made_for;
            match thing {
                _ if comes_with => {}
                Some(thing) if at == thing + 1 && !is_list => found = Purpose::MadeForIt,
                Some(thing) if is_loose && at - thing <= MOST_BETWEEN => {
                    found = Purpose::MadeForIt;
                }
                None if is_loose && is_first => made = true,
                _ => {}
            }
        }
    });
    found
}
