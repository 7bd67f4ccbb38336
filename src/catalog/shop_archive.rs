//! Archives of a shop: products, categories, pictures and what else it shows. Nothing of them is unpacked under its name.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::formats::{Archive, Input, ReadError, opened_archive};
use super::mapping::Mapping;
use super::picture::stored_picture;
use super::reading::{Reading, Stop};
use crate::domain::{
    ArchivedCategory, ArchivedShop, NewPicture, PICTURE_SIDES, PictureFile, PictureName,
    SettingsChange, truncate,
};

/// Names of the files, and the folder of pictures.
pub(super) const PRODUCTS: &str = "products.json";
pub(super) const CATEGORIES: &str = "categories.json";
pub(super) const SHOP: &str = "shop.json";
pub(super) const PICTURES: &str = "pictures/";
/// Maximum size of the categories and of the shop in bytes, of a file of a picture, and of all pictures.
const MOST_CATEGORIES: u64 = 1 << 20;
const MOST_SHOP: u64 = 12 << 20;
const MOST_PICTURE: u64 = 2 << 20;
const MOST_PICTURES: usize = 1 << 30;
/// Maximum size of the mappings in bytes.
pub(super) const MOST_MAPPINGS: usize = 4 << 20;
/// Maximum number of characters of a mapping's name.
pub const MAX_MAPPING_NAME: usize = 60;

/// Name and positions of the files of a picture, by the side that they fit in.
#[derive(Default)]
struct Files {
    name: Option<PictureName>,
    by_side: BTreeMap<u32, usize>,
}

/// An archive whose names are those of an export.
struct ShopArchive {
    archive: Archive,
    pictures: BTreeMap<String, Files>,
}

/// Contents of an archive besides products and pictures.
pub type Added = (Vec<ArchivedCategory>, ArchivedShop);

/// Opens a file; of an archive of a shop its products, to be read with its categories too, which are returned
/// with the rest. `each` gets its pictures.
///
/// # Errors
///
/// [`ReadError`], or the error of `each`.
pub fn open<E: From<ReadError>>(
    input: Input,
    reading: &Reading,
    folder: &Path,
    each: impl FnMut(NewPicture) -> Result<(), E>,
) -> Result<(Input, Reading, Added), E> {
    let mut reading = reading.clone();
    let nothing = Added::default();
    let archive = match opened_archive(input, folder, PRODUCTS)? {
        Ok(archive) => archive,
        Err(input) => return Ok((input, reading, nothing)),
    };
    let is_of_shop = |name: &str| [CATEGORIES, SHOP].contains(&name) || name.starts_with(PICTURES);
    if !archive.names().any(is_of_shop) {
        return Ok((Input::File(archive.into_inner()?), reading, nothing));
    }
    let mut shop = ShopArchive::new(archive)?;
    let mut categories: Vec<ArchivedCategory> = shop.list(CATEGORIES, MOST_CATEGORIES)?;
    let mut rest: ArchivedShop = shop.list(SHOP, MOST_SHOP)?;
    if reading.keeps_categories {
        categories.retain(|it| reading.categories.find_any(&it.name).is_some());
    }
    let known = reading.categories.with_archived(&categories);
    reading.categories = known.map_err(ReadError::file)?.into();
    if reading.keeps_categories {
        rest = ArchivedShop::default();
    }
    if reading.keeps_settings {
        let looks = SettingsChange::LOOKS;
        rest.settings
            .retain(|name, _| looks.contains(&name.as_str()));
    }
    rest.check(&reading.categories, Timestamp::now())
        .map_err(ReadError::file)?;
    for (name, mapping) in &rest.mappings {
        let is_name = (1..=MAX_MAPPING_NAME).contains(&name.chars().count());
        let read = Mapping::parse(mapping.to_string().as_bytes());
        if !is_name || read.is_err() {
            let reason = read.err().unwrap_or_default();
            let message = format!("its mapping {name:?} is none: {reason}");
            return Err(ReadError::file(message).into());
        }
    }
    shop.for_each_picture(&reading.stop, each)?;
    let products = shop.archive.into_file(PRODUCTS)?;
    if reading.keeps_categories {
        categories.clear();
    }
    Ok((Input::Stream(products), reading, (categories, rest)))
}

impl ShopArchive {
    fn new(archive: Archive) -> Result<Self, ReadError> {
        let mut pictures: BTreeMap<String, Files> = BTreeMap::new();
        let mut others = Vec::new();
        for (index, name) in archive.all_names().enumerate() {
            let quoted = || truncate(&format!("{name:?}"), 100);
            let picture = name.strip_prefix(PICTURES).and_then(PictureFile::parse);
            let is_twice = if let Some(file) = picture {
                let files = pictures.entry(file.hash.clone()).or_default();
                if let Some((width, height)) = file.size {
                    files.name = Some(PictureName::new(&file.hash, width, height));
                }
                files.by_side.insert(file.side, index).is_some()
            } else if [PRODUCTS, CATEGORIES, SHOP].contains(&name) {
                let is_twice = others.contains(&name);
                others.push(name);
                is_twice
            } else if name == PICTURES
                || name.starts_with("__MACOSX/")
                || name.ends_with(".DS_Store")
            {
                false
            } else {
                return Err(ReadError::file(format!(
                    "it has a file {}, which no export of a shop has: export the shop again",
                    quoted()
                )));
            };
            if is_twice {
                return Err(ReadError::file(format!(
                    "it has the file {} twice: export the shop again",
                    quoted()
                )));
            }
        }
        Ok(Self { archive, pictures })
    }

    /// Reads a file; nothing is in one that is missing.
    fn list<T: Default + DeserializeOwned>(
        &mut self,
        file: &str,
        most: u64,
    ) -> Result<T, ReadError> {
        if !self.archive.names().any(|name| name == file) {
            return Ok(T::default());
        }
        let json = bounded(self.archive.read(file)?, most, file)?;
        serde_json::from_slice(&json).map_err(|error| {
            let what = match file {
                CATEGORIES => "no list of categories",
                _ => "not that of a shop",
            };
            ReadError::file(format!("its {file} is {what}: {error}"))
        })
    }

    fn for_each_picture<E: From<ReadError>>(
        &mut self,
        stop: &Stop,
        mut each: impl FnMut(NewPicture) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sum = 0;
        for (hash, Files { name, by_side }) in &self.pictures {
            stop.check()?;
            let refused = |reason: &str| {
                ReadError::file(format!(
                    "its picture {hash} {reason}: export the shop again"
                ))
            };
            let name = name.as_ref().filter(|name| name.hash == *hash);
            let name = name.ok_or_else(|| refused("has no largest file"))?;
            let mut files = Vec::new();
            for (side, index) in by_side.iter().rev() {
                let file = self.archive.read_at(*index)?;
                files.push((*side, bounded(file, MOST_PICTURE, hash)?));
            }
            sum += files.iter().map(|(_, webp)| webp.len()).sum::<usize>();
            if sum > MOST_PICTURES {
                let message = "its pictures have more than 1 GB: remove some";
                return Err(ReadError::file(message).into());
            }
            let picture = NewPicture {
                name: name.clone(),
                files,
            };
            let picture = stored_picture(picture);
            each(picture.ok_or_else(|| refused("is not as this program writes it"))?)?;
        }
        Ok(())
    }
}

/// Reads a file of at most so many bytes.
fn bounded(file: impl Read, most: u64, name: &str) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(ReadError::io)?;
    if bytes.len() as u64 > most {
        let most = most >> 20;
        return Err(ReadError::file(format!(
            "its file {name} has more than {most} MB"
        )));
    }
    Ok(bytes)
}

/// Names a picture's file in an archive.
pub(super) fn file_name(picture: &PictureName, side: u32) -> String {
    let path = picture.path();
    let largest = path.rsplit('/').next().unwrap_or_default();
    match side == PICTURE_SIDES[0] {
        true => format!("{PICTURES}{largest}"),
        false => format!("{PICTURES}{}-{side}.webp", picture.hash),
    }
}
