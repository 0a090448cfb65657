//! Values that `Executor::Timing` cannot compute, as the user supplies them.

use crate::dtype::{DType, Scalar, ScalarValue};
use crate::error::{ConfigError, Error};
use crate::site::Site;

/// Values that a run under [`Executor::Timing`](crate::Executor::Timing) takes where only arithmetic could
/// give them: for `get` and predicates in orchestration, and for `get` of tiles in kernels, by the place
/// where they are read.
///
/// ```
/// use pl_runtime::{Executor, RunConfig, Values};
/// let config = RunConfig {
///     executor: Executor::Timing,
///     values: Values::default().at("src/decode.rs:40", [1, 1, 0]).at("decode.rs:52", [0.5_f32]),
///     ..RunConfig::default()
/// };
/// config.validate()?;
/// # Ok::<(), pl_runtime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Values(Vec<At>);

/// What is read at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
struct At {
    /// `file:line`.
    place: String,
    values: Vec<ScalarValue>,
}

impl Values {
    /// The same, and `values` at `place`, written `file:line` as errors name it; the file may lack
    /// leading folders. Each read takes the next of the values; the last one stays for all others.
    #[must_use]
    pub fn at<S: Scalar>(
        mut self,
        place: impl Into<String>,
        values: impl IntoIterator<Item = S>,
    ) -> Self {
        self.0.push(At {
            place: place.into(),
            values: values.into_iter().map(Scalar::to_value).collect(),
        });
        self
    }

    /// # Errors
    /// [`Error::Config`]: a place that is none, or one without values.
    pub(super) fn validate(&self) -> Result<(), Error> {
        for at in &self.0 {
            let line = at.place.rsplit_once(':').map(|(_, line)| line);
            let rule = if line.is_none_or(|line| line.parse::<u32>().is_err()) {
                "a place is written `file:line`"
            } else if at.values.is_empty() {
                "a place has one value or more"
            } else {
                continue;
            };
            return Err(ConfigError::refuse(
                "values",
                None,
                format!("{:?} with {} values", at.place, at.values.len()),
                rule.into(),
                "`Values::default().at(\"decode.rs:40\", [1])`",
            ));
        }
        Ok(())
    }
}

/// What keeps a run from having a value, and what to do.
#[derive(Debug)]
pub(crate) struct NoValue {
    pub(crate) what: String,
    pub(crate) help: String,
}

impl NoValue {
    /// Nobody supplies one.
    pub(crate) fn at(site: Site, dtype: DType) -> Self {
        let value = match dtype {
            DType::F32 | DType::F16 | DType::Bf16 => "1.0",
            DType::Bool => "true",
            _ => "1",
        };
        Self {
            what: "is not known, as simulated runs, plans and audits compute nothing".into(),
            help: format!(
                "supply it in `RunConfig`: `values: Values::default().at(\"{}:{}\", [{value}])`",
                site.file_name(),
                site.line
            ),
        }
    }
}

/// The values of a run.
#[derive(Debug)]
pub(crate) struct Supplied {
    values: Values,
    /// How many of each place have been taken.
    taken: Vec<usize>,
}

impl Supplied {
    pub(crate) fn new(values: &Values) -> Self {
        Self {
            values: values.clone(),
            taken: vec![0; values.0.len()],
        }
    }

    /// All values are there again.
    pub(crate) fn rewind(&mut self) {
        self.taken.fill(0);
    }

    /// The next value at `site`, as an element of `dtype`.
    ///
    /// # Errors
    /// None is supplied, or one that is no value of that type.
    pub(crate) fn next(&mut self, site: Site, dtype: DType) -> Result<ScalarValue, NoValue> {
        let own = site.to_string();
        let names = |at: &At| {
            own.strip_suffix(&at.place)
                .is_some_and(|folder| folder.is_empty() || folder.ends_with(['/', '\\']))
        };
        // The last one counts, as it would with `..`.
        let Some(index) = self.values.0.iter().rposition(names) else {
            return Err(NoValue::at(site, dtype));
        };
        let At { place, values } = &self.values.0[index];
        let taken = &mut self.taken[index];
        let value = values[(*taken).min(values.len() - 1)];
        *taken = (*taken + 1).min(values.len());
        let element = ScalarValue::from_element_bits(dtype, value.element_bits(dtype));
        let float = matches!(dtype, DType::F32 | DType::F16 | DType::Bf16);
        // As integers too, whose larger ones `f64` cannot tell apart.
        let bits = |value: ScalarValue| (value.as_f64().to_bits(), value.as_i128());
        let same = bits(element) == bits(value);
        if float || same {
            return Ok(element);
        }
        Err(NoValue {
            what: format!(
                "is {} in `RunConfig::values`, which is no {dtype}",
                value.as_f64()
            ),
            help: format!("supply a {dtype} for {place}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site::new("src/kernels/decode.rs", 40);

    fn next(values: &Values, dtype: DType) -> Result<f64, String> {
        let mut supplied = Supplied::new(values);
        let value = supplied.next(SITE, dtype);
        value
            .map(ScalarValue::as_f64)
            .map_err(|NoValue { what, help }| format!("{what}; {help}"))
    }

    #[test]
    fn a_place_is_found_by_its_file_with_or_without_folders() {
        for place in [
            "decode.rs:40",
            "kernels/decode.rs:40",
            "src/kernels/decode.rs:40",
        ] {
            assert_eq!(next(&Values::default().at(place, [7]), DType::I32), Ok(7.0));
        }
        for place in [
            "code.rs:40",
            "decode.rs:4",
            "decode.rs:140",
            "other/decode.rs:40",
        ] {
            let text = next(&Values::default().at(place, [7]), DType::I32).unwrap_err();
            assert!(text.contains(".at(\"decode.rs:40\", [1])"), "{text}");
        }
    }

    #[test]
    fn values_are_taken_one_by_one_and_the_last_one_stays() {
        let mut supplied = Supplied::new(&Values::default().at("decode.rs:40", [2, 1, 0]));
        let mut take = || supplied.next(SITE, DType::U8).unwrap().as_i128();
        assert_eq!([take(), take(), take(), take()], [2, 1, 0, 0]);
        supplied.rewind();
        assert_eq!(supplied.next(SITE, DType::U8).unwrap().as_i128(), 2);
    }

    #[test]
    fn a_value_that_the_type_does_not_have_is_refused() {
        let one = |value: f64, dtype| next(&Values::default().at("decode.rs:40", [value]), dtype);
        assert_eq!(one(0.1, DType::F16).map(|v| (v * 100.0).round()), Ok(10.0));
        assert_eq!(one(3.0, DType::U8), Ok(3.0));
        assert_eq!(one(1.0, DType::Bool), Ok(1.0));
        for (value, dtype) in [
            (0.5, DType::I32),
            (300.0, DType::U8),
            (-1.0, DType::U64),
            (2.0, DType::Bool),
        ] {
            let text = one(value, dtype).unwrap_err();
            assert!(text.contains(&format!("no {dtype}")), "{text}");
        }
    }

    #[test]
    fn a_place_without_line_or_values_is_refused() {
        Values::default().at("a.rs:1", [1]).validate().unwrap();
        assert!(Values::default().at("a.rs", [1]).validate().is_err());
        assert!(Values::default().at("a.rs:x", [1]).validate().is_err());
        assert!(Values::default().at("a.rs:1", [1; 0]).validate().is_err());
    }
}
