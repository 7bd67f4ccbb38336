//! Generates reproducible catalogues of any size, with word frequencies by Zipf's law, as in real
//! descriptions.

use std::io::Write;

use serde_json::{Value, json};

const NOUNS: [(&str, &[&str]); 4] = [
    (
        "Electronics",
        &[
            "headphones",
            "charger",
            "keyboard",
            "speaker",
            "laptop",
            "monitor",
            "cable",
            "router",
            "camera",
            "tablet",
            "smartwatch",
            "projector",
            "earbuds",
            "microphone",
            "adapter",
            "drive",
        ],
    ),
    (
        "Clothing",
        &[
            "shirt", "kurta", "jeans", "jacket", "sneakers", "saree", "dress", "socks", "cap",
            "belt", "sandals", "hoodie", "trousers", "scarf", "sweater", "shorts",
        ],
    ),
    (
        "Books",
        &[
            "novel",
            "cookbook",
            "atlas",
            "dictionary",
            "biography",
            "anthology",
            "guide",
            "textbook",
            "memoir",
            "thriller",
            "journal",
            "handbook",
            "primer",
            "almanac",
            "reader",
            "storybook",
        ],
    ),
    (
        "Home",
        &[
            "lamp",
            "kettle",
            "mattress",
            "curtain",
            "cushion",
            "mixer",
            "bottle",
            "pan",
            "rug",
            "shelf",
            "clock",
            "towel",
            "blanket",
            "vase",
            "stool",
            "organiser",
        ],
    ),
];

const QUALITIES: &[&str] = &[
    "wireless",
    "portable",
    "classic",
    "cotton",
    "premium",
    "compact",
    "foldable",
    "steel",
    "bamboo",
    "waterproof",
    "lightweight",
    "rechargeable",
    "handmade",
    "adjustable",
    "organic",
    "digital",
];

const COLOURS: &[&str] = &[
    "black", "blue", "white", "green", "red", "grey", "golden", "pink",
];

const COMMON: &[&str] = &[
    "the", "with", "and", "for", "your", "this", "from", "easy", "made", "design", "quality",
    "every", "use", "comes", "best", "home", "day", "that", "high", "perfect", "light", "power",
    "soft", "long", "durable", "comfort", "style", "gift", "travel", "warranty", "battery",
    "fabric", "colour", "size", "pack", "material", "family", "kitchen", "office", "charging",
    "fast", "clean", "water", "cover",
];

const SYLLABLES: &[&str] = &[
    "ba", "der", "fi", "gon", "ha", "jim", "ka", "lor", "mi", "nat", "o", "pel", "qui", "ra",
    "sto", "ti", "ul", "va", "wen", "xa", "yo", "zin", "cre", "bru", "tha", "plo", "shi", "gra",
    "ne", "dou",
];

const VOCABULARY: usize = 60_000;

const SOURCES: &[&str] = &[
    "Amazon", "Amazon", "Amazon", "Flipkart", "Flipkart", "Croma", "Myntra", "Ajio",
];

/// Random number generator (xorshift64).
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as usize % end.max(1)
    }

    /// From 0 to 1.
    pub fn part(&mut self) -> f64 {
        self.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    pub fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

pub struct Catalogue {
    random: Random,
    words: Vec<String>,
    next: usize,
}

impl Catalogue {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            words: (0..VOCABULARY).map(word).collect(),
            next: 0,
        }
    }

    pub fn word_of_rank(&self, rank: usize) -> &str {
        &self.words[rank % VOCABULARY]
    }

    /// Returns a random word by Zipf's law: the frequency of rank r is proportional to 1 / r.
    pub fn word(&mut self) -> &str {
        let rank = (VOCABULARY as f64).powf(self.random.part()) as usize - 1;
        &self.words[rank.min(VOCABULARY - 1)]
    }

    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// Writes this number of products, one JSON object per line.
    pub fn write(&mut self, count: usize, output: &mut impl Write) -> std::io::Result<()> {
        for _ in 0..count {
            serde_json::to_writer(&mut *output, &self.product())?;
            output.write_all(b"\n")?;
        }
        Ok(())
    }

    pub fn product(&mut self) -> Value {
        let number = self.next;
        self.next += 1;
        let (category, nouns) = *self.random.of(&NOUNS);
        let noun = *self.random.of(nouns);
        let quality = *self.random.of(QUALITIES);
        let colour = *self.random.of(COLOURS);
        let brand = self.word_of_rank(200 + self.next * 7 % 900).to_owned();
        let some = self.text(6);
        let title = format!(
            "{} {quality} {noun} {some}, {colour} ({}{})",
            capital(&brand),
            ["X", "Pro", "M", "Neo"][number % 4],
            self.random.below(900)
        );
        let mut description = capital(&format!("{quality} {noun} in {colour}. "));
        let sentences = 6 + self.random.below(6);
        for _ in 0..sentences {
            let length = 7 + self.random.below(8);
            description.push_str(&capital(&self.text(length)));
            description.push_str(". ");
        }
        let price = (50.0 * (2_000_f64).powf(self.random.part())).round() - 1.0;
        json!({
            "title": title,
            "description": description.trim_end(),
            "price": price,
            "discount": *self.random.of(&[0, 0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 75]),
            "category": category,
            "source": *self.random.of(SOURCES),
            "affiliateLink": format!("https://shop.example/{category}/p/{number:09}?tag=bench-21"),
            "images": [
                format!("https://pictures.example/{number:09}-front.jpg"),
                format!("https://pictures.example/{number:09}-side.jpg"),
            ],
            "averageRating": 1.0 + self.random.below(41) as f64 / 10.0,
            "totalRatings": (10_000_f64).powf(self.random.part()) as u64,
        })
    }

    fn text(&mut self, words: usize) -> String {
        let mut text = String::new();
        for _ in 0..words {
            if !text.is_empty() {
                text.push(' ');
            }
            let word = self.word().to_owned();
            text.push_str(&word);
        }
        text
    }
}

fn word(rank: usize) -> String {
    if let Some(word) = COMMON.get(rank) {
        return (*word).to_owned();
    }
    let mut left = rank;
    let mut word = String::new();
    while left > 0 {
        word.push_str(SYLLABLES[left % SYLLABLES.len()]);
        left /= SYLLABLES.len();
    }
    word
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}
