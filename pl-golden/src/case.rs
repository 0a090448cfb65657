//! One check of a program.

use crate::compare::Compare;
use crate::init::Init;
use crate::report::Report;
use crate::stage::{bar, say, stage};
use crate::store::Place;
use crate::{GoldenError, OutputReport};
use indicatif::ProgressBar;
use ndarray::{Array, ArrayBase, Dimension, IntoDimension};
use pl_files::Data;
use pl_runtime::{Element, Scalar};
use std::path::Path;
use std::time::Instant;

/// A check of a program: its arguments, its stages, the comparison of its outputs.
///
/// Prints a line when a stage begins and one when it has ended, a line for each output, and a last one.
#[derive(Debug)]
pub struct Case {
    name: String,
    seed: u64,
    quiet: bool,
    replay: Option<Place>,
    save: Option<Place>,
    /// What is to be saved.
    arrays: Vec<(String, Data)>,
    outputs: Vec<OutputReport>,
    start: Instant,
}

impl Case {
    /// A case with seed 1.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            seed: 1,
            quiet: false,
            replay: None,
            save: None,
            arrays: Vec::new(),
            outputs: Vec::new(),
            start: Instant::now(),
        }
    }

    /// The same with another seed of its inputs.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same, printing nothing.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self {
            quiet: true,
            ..self
        }
    }

    /// The same with the inputs that another case has [saved](Self::save_to), in place of drawn ones. `None`: none.
    #[must_use]
    pub fn replay_from<'p>(self, path: impl Into<Option<&'p Path>>) -> Self {
        let replay = path.into().map(Place::new);
        Self { replay, ..self }
    }

    /// The same, saving its inputs when they are made and its outputs when they are compared: to `path` if that
    /// is called `..safetensors`, else to the folder `path`, each array in a file `NAME.npy`. `None`: nowhere.
    #[must_use]
    pub fn save_to<'p>(self, path: impl Into<Option<&'p Path>>) -> Self {
        let save = path.into().map(Place::new);
        Self { save, ..self }
    }

    /// An input of the program, as `init` says, or as it was saved.
    ///
    /// # Errors
    /// A saved array cannot be read, or has another element type or shape.
    pub fn input<T: Element, D: Dimension>(
        &mut self,
        name: &str,
        dims: impl IntoDimension<Dim = D>,
        init: Init,
    ) -> Result<Array<T, D>, GoldenError> {
        let dims = dims.into_dimension();
        let array = match &self.replay {
            None => init.array(self.seed, name, dims),
            Some(place) => {
                let wrong = |what: String| GoldenError::Replay {
                    name: name.to_owned(),
                    place: place.path().display().to_string(),
                    what,
                };
                let data = place.load(name)?;
                if data.dims() != dims.slice() {
                    let what = format!("its shape is {:?}, not {:?}", data.dims(), dims.slice());
                    return Err(wrong(what));
                }
                data.into_array().map_err(wrong)?
            }
        };
        self.keep(name, &array)?;
        Ok(array)
    }

    /// An output of the program: zeros.
    pub fn output<T: Element, D: Dimension>(
        &self,
        name: &str,
        dims: impl IntoDimension<Dim = D>,
    ) -> Array<T, D> {
        Init::ZEROS.array(self.seed, name, dims)
    }

    /// An array that the caller has made is an input too: it is saved with the others, or replaced by what
    /// was saved.
    ///
    /// # Errors
    /// As for [`Self::input`].
    pub fn given<T: Element, D: Dimension>(
        &mut self,
        name: &str,
        array: Array<T, D>,
    ) -> Result<Array<T, D>, GoldenError> {
        if self.replay.is_some() {
            return self.input(name, array.raw_dim(), Init::ZEROS);
        }
        self.keep(name, &array)?;
        Ok(array)
    }

    fn keep<T: Element, D: Dimension>(
        &mut self,
        name: &str,
        array: &ArrayBase<impl ndarray::Data<Elem = T>, D>,
    ) -> Result<(), GoldenError> {
        if let Some(place) = &self.save {
            self.arrays.push((name.to_owned(), Data::of(array)));
            // At once: a run that does not come back has its inputs.
            place.add(&self.arrays)?;
        }
        Ok(())
    }

    /// Runs one part of the case: `compile`, `runtime`, `golden`.
    pub fn stage<T>(&self, name: &str, run: impl FnOnce() -> T) -> T {
        stage(name, self.quiet, run)
    }

    /// A bar for a part that takes `total` steps; nothing is shown where stderr is no terminal.
    pub fn progress(&self, name: &str, total: u64) -> ProgressBar {
        bar(name, total, self.quiet)
    }

    /// Compares an output with what it should be, and saves it. Prints how it went.
    ///
    /// # Errors
    /// It cannot be saved.
    ///
    /// # Panics
    /// The two have different shapes.
    #[track_caller]
    pub fn compare<T: Element + Copy, W: Scalar + Copy, D: Dimension>(
        &mut self,
        name: &str,
        got: &ArrayBase<impl ndarray::Data<Elem = T>, D>,
        want: &ArrayBase<impl ndarray::Data<Elem = W>, D>,
        compare: &Compare<'_>,
    ) -> Result<(), GoldenError> {
        let report = compare.check(name, got, want);
        if !self.quiet {
            say(&report);
        }
        self.outputs.push(report);
        self.keep(name, got)
    }

    /// Whether every output that was compared is right.
    pub fn passed(&self) -> bool {
        self.outputs.iter().all(|output| output.passed)
    }

    /// Prints the last line.
    pub fn finish(self) -> Report {
        if let Some(place) = self.save.as_ref().filter(|_| !self.quiet) {
            say(format_args!("saved: {}", place.path().display()));
        }
        let report = Report {
            case: self.name,
            outputs: self.outputs,
            seconds: self.start.elapsed().as_secs_f64(),
        };
        if !self.quiet {
            say(&report);
        }
        report
    }
}
