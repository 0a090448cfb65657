//! Elements that are read where nothing is computed: `FILE:LINE=VALUE[,VALUE..]`.

use super::{Reader, SpecError};
use pl_runtime::Values;
use std::str::FromStr;

/// What is read at one place, one after the other.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reads {
    place: String,
    numbers: Numbers,
}

/// Exactly as they are written.
#[derive(Clone, PartialEq, Debug)]
enum Numbers {
    Signed(Vec<i64>),
    Unsigned(Vec<u64>),
    Floats(Vec<f64>),
}

impl Reads {
    /// These beside others.
    pub(crate) fn put(&self, values: Values) -> Values {
        let place = self.place.as_str();
        match &self.numbers {
            Numbers::Signed(numbers) => values.at(place, numbers.iter().copied()),
            Numbers::Unsigned(numbers) => values.at(place, numbers.iter().copied()),
            Numbers::Floats(numbers) => values.at(place, numbers.iter().copied()),
        }
    }
}

impl FromStr for Reads {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, SpecError> {
        const EXAMPLE: &str = "write `moe.cpp:40=3,1`: the place as errors name it, and what is read there, one after the other";
        let reader = Reader::new(spec);
        let Some((place, values)) = spec.rsplit_once('=') else {
            return Err(reader.missing("a place and `=` are missing", EXAMPLE));
        };
        let is_place = place
            .rsplit_once(':')
            .is_some_and(|(file, line)| !file.is_empty() && line.parse::<u32>().is_ok());
        if !is_place {
            return Err(reader.refuse(
                0..place.len(),
                format!("`{place}` is no file and line"),
                EXAMPLE,
            ));
        }
        let values: Vec<&str> = values
            .split(',')
            .map(|value| match value {
                "false" => "0",
                "true" => "1",
                value => value,
            })
            .collect();
        let numbers = all(&values)
            .map(Numbers::Signed)
            .or_else(|| all(&values).map(Numbers::Unsigned))
            .or_else(|| all(&values).map(Numbers::Floats));
        match numbers {
            Some(numbers) => Ok(Self {
                place: place.into(),
                numbers,
            }),
            None => {
                Err(reader.refuse(place.len() + 1..spec.len(), "these are no numbers", EXAMPLE))
            }
        }
    }
}

/// The numbers, if each is of this type.
fn all<T: FromStr>(texts: &[&str]) -> Option<Vec<T>> {
    texts.iter().map(|text| text.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(spec: &str) -> Result<Reads, String> {
        spec.parse().map_err(|error: SpecError| error.to_string())
    }

    #[test]
    fn numbers_are_taken_exactly_and_truth_values_are_numbers() {
        let numbers = |spec: &str| read(spec).map(|reads| reads.numbers);
        assert_eq!(
            numbers("a.cpp:1=3,-1,9223372036854775807"),
            Ok(Numbers::Signed(vec![3, -1, i64::MAX]))
        );
        assert_eq!(
            numbers("a.cpp:1=18446744073709551615"),
            Ok(Numbers::Unsigned(vec![u64::MAX]))
        );
        assert_eq!(
            numbers("a.cpp:1=0.5,2"),
            Ok(Numbers::Floats(vec![0.5, 2.0]))
        );
        assert_eq!(
            numbers("a.cpp:1=true,false"),
            Ok(Numbers::Signed(vec![1, 0]))
        );
    }

    #[test]
    fn a_file_may_have_signs_in_its_name() {
        let reads = read("a=b/c:d.cpp:12=1").unwrap();
        assert_eq!(reads.place, "a=b/c:d.cpp:12");
    }

    #[test]
    fn what_is_no_place_or_no_number_is_marked() {
        for (spec, text) in [
            ("a.cpp:1", "a place and `=` are missing"),
            ("a.cpp=1", "`a.cpp` is no file and line"),
            ("a.cpp:x=1", "`a.cpp:x` is no file and line"),
            (":1=1", "`:1` is no file and line"),
            ("a.cpp:1=", "these are no numbers"),
            ("a.cpp:1=1,,2", "these are no numbers"),
            ("a.cpp:1=one", "these are no numbers"),
        ] {
            let error = read(spec).unwrap_err();
            assert!(error.starts_with(text), "{error}");
            assert!(
                error.contains('^') && error.contains("moe.cpp:40=3,1"),
                "{error}"
            );
        }
    }
}
