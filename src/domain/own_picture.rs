//! The shop's own pictures: their addresses, which say their size, and their files.

use url::Url;

/// Widths and heights in pixels within which the files of a picture fit, the largest first.
pub const PICTURE_SIDES: [u32; 3] = [720, 360, 96];
/// Hexadecimal digits of a hash in an address: 128 bits.
const DIGITS: usize = 32;
const FOLDER: &str = "/picture/";

/// Name of a picture of the shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureName {
    /// Beginning of the SHA-256 of the largest file, in hexadecimal digits.
    pub hash: String,
    /// Width of the largest file in pixels.
    pub width: u32,
    /// Height of the largest file in pixels.
    pub height: u32,
}

/// A picture to be stored.
#[derive(Debug, Clone)]
pub struct NewPicture {
    /// Its name.
    pub name: PictureName,
    /// WebP files by the side that they fit in, the largest first; of a small picture only one.
    pub files: Vec<(u32, Vec<u8>)>,
}

impl PictureName {
    /// Makes the name of a picture from the SHA-256 of its largest file, in hexadecimal digits.
    pub fn new(hash: &str, width: u32, height: u32) -> Self {
        Self {
            hash: hash.chars().take(DIGITS).collect(),
            width,
            height,
        }
    }

    /// Parses the path that [`PictureName::path`] returns.
    pub fn parse(path: &str) -> Option<Self> {
        let stem = path.strip_prefix(FOLDER)?.strip_suffix(".webp")?;
        let (hash, size) = stem.split_once('-')?;
        let (width, height) = size.split_once('x')?;
        let name = Self {
            hash: hash.to_owned(),
            width: width.parse().ok()?,
            height: height.parse().ok()?,
        };
        let is_hash =
            hash.len() == DIGITS && hash.bytes().all(|b| b"0123456789abcdef".contains(&b));
        // One picture has one address.
        (is_hash && name.path() == path).then_some(name)
    }

    /// Returns the name at the end of an address, of any shop.
    pub fn in_address(address: &str) -> Option<Self> {
        Self::parse(&address[address.rfind(FOLDER)?..])
    }

    /// Path of the largest file, as products store it.
    pub fn path(&self) -> String {
        let Self {
            hash,
            width,
            height,
        } = self;
        format!("{FOLDER}{hash}-{width}x{height}.webp")
    }
}

/// Makes the paths of own pictures absolute, as clients of other sites need them.
pub fn with_shop(images: &mut [String], shop: &Url) {
    for image in images {
        if PictureName::parse(image).is_some()
            && let Ok(address) = shop.join(image)
        {
            *image = address.into();
        }
    }
}

/// Replaces absolute addresses of own pictures by their paths, which stay right when the shop moves.
pub fn without_shop(images: &mut [String], shop: &Url) {
    for image in images {
        if let Some(name) = PictureName::in_address(image)
            && shop
                .join(&name.path())
                .is_ok_and(|own| own.as_str() == image)
        {
            *image = name.path();
        }
    }
}

/// A file of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureFile {
    /// Hash of the picture.
    pub hash: String,
    /// Pixels that width and height do not exceed.
    pub side: u32,
    /// Width and height of the picture, in the name of its largest file.
    pub size: Option<(u32, u32)>,
}

impl PictureFile {
    /// Parses the last part of a path.
    pub fn parse(file: &str) -> Option<Self> {
        if let Some(name) = PictureName::parse(&format!("{FOLDER}{file}")) {
            return Some(Self {
                hash: name.hash,
                side: PICTURE_SIDES[0],
                size: Some((name.width, name.height)),
            });
        }
        let (hash, side) = file.strip_suffix(".webp")?.split_once('-')?;
        let mut smaller = PICTURE_SIDES[1..].iter().copied();
        Some(Self {
            hash: hash.to_owned(),
            side: smaller.find(|known| known.to_string() == side)?,
            size: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn a_path_of_a_picture_is_read_as_it_is_written() {
        let path = format!("/picture/{HASH}-720x540.webp");
        let name = PictureName::parse(&path).unwrap();
        assert_eq!((name.width, name.height), (720, 540));
        assert_eq!(name.path(), path);
        let absolute = format!("https://shop.example{path}");
        assert_eq!(PictureName::in_address(&absolute), Some(name));
    }

    #[test]
    fn other_paths_are_no_pictures() {
        for bad in [
            "",
            "/picture/",
            "/picture/0-1x1.webp",
            "/picture/../0123456789abcdef0123456789abcdef-1x1.webp",
            "/picture/0123456789ABCDEF0123456789ABCDEF-1x1.webp",
            "/picture/0123456789abcdef0123456789abcdef-01x1.webp",
            "/picture/0123456789abcdef0123456789abcdef-+1x1.webp",
            "/picture/0123456789abcdef0123456789abcdef-1x1.svg",
            "/picture/0123456789abcdef0123456789abcdef-1x1.webp?a",
        ] {
            assert_eq!(PictureName::parse(bad), None, "{bad}");
        }
        assert_eq!(PictureName::in_address("https://a.example/b.webp"), None);
    }

    #[test]
    fn own_pictures_are_stored_as_paths_and_sent_as_addresses() {
        let shop = Url::parse("https://shop.example").unwrap();
        let path = format!("/picture/{HASH}-720x540.webp");
        let other = format!("https://other.example{path}");
        let mut images = [format!("https://shop.example{path}"), other.clone()];
        without_shop(&mut images, &shop);
        assert_eq!(images, [path.clone(), other.clone()]);
        with_shop(&mut images, &shop);
        assert_eq!(images, [format!("https://shop.example{path}"), other]);
    }

    #[test]
    fn smaller_files_have_a_side_in_their_name() {
        let file = |end: &str| {
            let file = PictureFile::parse(&format!("{HASH}-{end}"));
            file.map(|file| (file.side, file.size))
        };
        assert_eq!(file("96.webp"), Some((96, None)));
        assert_eq!(file("30x40.webp"), Some((720, Some((30, 40)))));
        for other in ["720.webp", "97.webp", "0x.webp", "96.png", ".webp"] {
            assert_eq!(file(other), None, "{other}");
        }
    }
}
