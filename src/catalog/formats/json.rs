//! JSON of any shape: a list of objects somewhere in the document, or one object per line.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::rc::Rc;

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::delimited::{RowLimit, limited};
use super::error::ReadError;
use super::row::{Columns, Each, MAX_ROW, MAX_SKIPPED, Note, Row, RowSource, check_name};
use super::shape::{Scanner, Shape};

/// A document with products of any shape.
pub(super) struct JsonDocument {
    input: Scanner<BufReader<RowLimit<'static>>>,
    budget: Rc<Cell<u64>>,
    shape: Shape,
}

impl JsonDocument {
    pub(super) fn new(input: Box<dyn Read>, shape: Shape) -> Self {
        let (input, budget) = limited(input);
        Self {
            input: Scanner(input),
            budget,
            shape,
        }
    }

    /// Moves to the first element of the list at `path`; true if it is an object of products by key.
    fn enter(&mut self, path: &[String]) -> Result<bool, ReadError> {
        let missing = |name: &str| {
            ReadError::file(format!(
                "it has no list at {} ({name} was not found): say where with --path",
                path.join(".")
            ))
        };
        for step in path {
            if self.input.next_token()? != Some(b'{') {
                return Err(missing(step));
            }
            self.input.0.consume(1);
            loop {
                match self.input.name()? {
                    None => return Err(missing(step)),
                    Some(name) if name == *step => break,
                    Some(_) => {
                        self.budget.set(MAX_SKIPPED);
                        self.input.value::<IgnoredAny>()?;
                        self.budget.set(MAX_ROW);
                    }
                }
            }
        }
        let token = self.input.next_token()?;
        if token != Some(b'[') && token != Some(b'{') {
            return Err(no_list());
        }
        self.input.0.consume(1);
        Ok(token == Some(b'{'))
    }
}

impl RowSource for JsonDocument {
    fn read(mut self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let shape = self.shape.clone();
        let is_keyed = match &shape {
            Shape::List(path) => self.enter(path)?,
            _ => false,
        };
        let mut columns = Columns::default();
        let mut number = 0;
        loop {
            let value: Option<Value> = if is_keyed {
                match self.input.name()? {
                    Some(_) => Some(self.input.value()?),
                    None => None,
                }
            } else if matches!(shape, Shape::List(_)) {
                self.input.element()?
            } else if self.input.next_token()?.is_some() {
                Some(self.input.value()?)
            } else {
                None
            };
            let Some(value) = value else {
                return Ok(None);
            };
            self.budget.set(MAX_ROW);
            if is_keyed && !value.is_object() {
                // Beside products by key stand their number and the like.
                match value {
                    Value::Array(_) => return Err(no_list()),
                    _ => continue,
                }
            }
            number += 1;
            let mut row = Row {
                number,
                ..Row::default()
            };
            if value.is_object() {
                flatten(&mut columns, &mut String::new(), value, &mut row)?;
            } else {
                row.problem = Some("A product must be a JSON object.".to_owned());
            }
            each(&columns, row)?;
        }
    }
}

fn no_list() -> ReadError {
    ReadError::file(
        "its products are not found: say where their list is with --path, like --path data.items",
    )
}

/// Returns an amount with its currency, of an object that has both and little else.
fn price(fields: &Map<String, Value>) -> Option<String> {
    const AMOUNTS: [&str; 4] = ["amount", "value", "price", "sum"];
    const CURRENCIES: [&str; 4] = ["currency", "currencycode", "currency_code", "iso"];
    let one_of = |names: &[&str]| {
        let mut fields = fields.iter();
        let found = fields.find(|(name, _)| names.contains(&name.to_ascii_lowercase().as_str()));
        match found?.1 {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    };
    let amount = one_of(&AMOUNTS).filter(|_| fields.len() <= 4)?;
    Some(format!("{amount} {}", one_of(&CURRENCIES)?))
}

/// Adds the values below `name` to a row; those of a list have one name.
fn flatten(
    columns: &mut Columns,
    name: &mut String,
    value: Value,
    row: &mut Row,
) -> Result<(), ReadError> {
    match value {
        Value::Null => Ok(()),
        Value::Object(fields) if !name.is_empty() && price(&fields).is_some() => {
            let price = price(&fields).unwrap_or_default();
            row.push(columns.position(name)?, &price);
            Ok(())
        }
        Value::Object(fields) => {
            let length = name.len();
            for (field, value) in fields {
                if length > 0 {
                    name.push('.');
                }
                name.push_str(&field);
                check_name(name)?;
                flatten(columns, name, value, row)?;
                name.truncate(length);
            }
            Ok(())
        }
        Value::Array(items) => items
            .into_iter()
            .try_for_each(|item| flatten(columns, name, item, row)),
        Value::String(text) => {
            row.push(columns.position(name)?, &text);
            Ok(())
        }
        Value::Bool(flag) => {
            row.push(columns.position(name)?, &flag.to_string());
            Ok(())
        }
        number @ Value::Number(_) => {
            row.cells.push((columns.position(name)?, number));
            Ok(())
        }
    }
}
