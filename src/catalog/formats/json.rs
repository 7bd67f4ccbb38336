//! JSON of any shape: a list of objects somewhere in the document, or one object per line.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::rc::Rc;

use serde_json::Value;

use super::delimited::{RowLimit, limited};
use super::error::ReadError;
use super::row::{Columns, Each, MAX_ROW, Note, Row, RowSource};
use super::shape::{Scanner, Shape};

/// A document with products of any shape.
pub(super) struct Document {
    input: Scanner<BufReader<RowLimit>>,
    budget: Rc<Cell<u64>>,
    shape: Shape,
}

impl Document {
    pub(super) fn new(input: Box<dyn Read>, shape: Shape) -> Self {
        let (input, budget) = limited(input);
        Self {
            input: Scanner(input),
            budget,
            shape,
        }
    }

    /// Moves to the first element of the list at `path`.
    fn enter(&mut self, path: &[String]) -> Result<(), ReadError> {
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
                        self.input.value()?;
                        self.budget.set(MAX_ROW);
                    }
                }
            }
        }
        if self.input.next_token()? != Some(b'[') {
            return Err(ReadError::file(
                "its products are not found: say where their list is with --path, like \
                 --path data.items",
            ));
        }
        self.input.0.consume(1);
        Ok(())
    }
}

impl RowSource for Document {
    fn read(mut self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let shape = self.shape.clone();
        if let Shape::List(path) = &shape {
            self.enter(path)?;
        }
        let mut columns = Columns::default();
        let mut number = 0;
        loop {
            let value = if matches!(shape, Shape::List(_)) {
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
            number += 1;
            let mut row = Row {
                number,
                ..Row::default()
            };
            if value.is_object() {
                flatten(&mut columns, "", value, &mut row)?;
            } else {
                row.problem = Some("A product must be a JSON object.".to_owned());
            }
            each(&columns, row)?;
        }
    }
}

/// Adds the values below `name` to a row; those of a list have one name.
fn flatten(
    columns: &mut Columns,
    name: &str,
    value: Value,
    row: &mut Row,
) -> Result<(), ReadError> {
    match value {
        Value::Null => Ok(()),
        Value::Object(fields) => {
            for (field, value) in fields {
                if name.is_empty() {
                    flatten(columns, &field, value, row)?;
                } else {
                    flatten(columns, &format!("{name}.{field}"), value, row)?;
                }
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
