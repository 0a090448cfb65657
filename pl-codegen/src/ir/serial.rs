//! A function as the text that a compiled program carries.

use super::Unit;
use serde::Deserialize;

impl Unit {
    /// The text that [`Unit::from_text`] reads.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("IR has string keys only")
    }

    /// Reads what [`Unit::to_text`] wrote, however deep expressions and blocks nest in it: the compiler
    /// that wrote it has walked it already.
    ///
    /// # Errors
    /// A text that is not of this version.
    pub fn from_text(text: &str) -> serde_json::Result<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit();
        let unit = Self::deserialize(&mut reader)?;
        reader.end()?;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;
    use crate::ir::{Block, SourceMap};
    use crate::testing::Build;

    #[test]
    fn a_function_is_the_same_after_it_was_written_and_read_however_deep_it_nests() {
        let f = Build::by_hand();
        let mut sum = f.int(0);
        let mut body: Block = [f.call("k", &["o"])].into();
        for n in 0..63 {
            sum = f.add(sum, f.int(n));
            body = [f.scope(body)].into();
        }
        body.stmts.push(f.bind("n", sum));
        let unit = Unit {
            function: f.finish(body),
            source: SourceMap::default(),
        };
        assert_eq!(Unit::from_text(&unit.to_text()).unwrap(), unit);
    }

    #[test]
    fn what_is_not_a_function_is_refused() {
        assert!(Unit::from_text("{}").is_err());
        assert!(Unit::from_text("").is_err());
    }
}
