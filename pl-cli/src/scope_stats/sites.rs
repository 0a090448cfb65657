//! The sites of scopes, each kept once.

use super::lane::RINGS;
use std::collections::HashMap;

/// Distinct sites that are kept.
pub(super) const MOST: usize = 10_000;
/// Bytes of a site that are kept.
pub(super) const LONGEST: usize = 256;

/// A site of a [`Sites`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SiteId(u32);

impl SiteId {
    /// Its place in [`Sites::iter`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of the scopes of one site.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// File and line, fit to be shown: control characters are written out.
    pub name: String,
    /// Rings on which they were.
    pub rings: [bool; RINGS],
    /// How many were closed.
    pub scopes: u64,
    /// Most task slots that one can have occupied, with what was there before.
    pub task_high_water: u64,
    /// Most heap bytes that one can have occupied, with what was there before.
    pub heap_high_water: u64,
    /// Most heap bytes in use when one closed.
    pub heap_live: u64,
    /// Heap bytes that they allocated together.
    pub heap_alloc: u64,
    /// How many are open.
    pub(super) open: u32,
}

/// What is unusual about a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Oddity {
    Markup,
    Long,
    OneTooMany,
}

/// All sites, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    ids: HashMap<String, SiteId>,
    sites: Vec<Site>,
}

impl Sites {
    /// The site of that name. New ones say what is odd about them.
    pub(super) fn id(&mut self, name: &str) -> (SiteId, Option<Oddity>) {
        let key = cut(name);
        if let Some(id) = self.ids.get(key) {
            return (*id, None);
        }
        let full = self.sites.len() >= MOST;
        let (key, shown) = if full {
            // One more, for all others: no other site can have this name, which has a line feed.
            ("\n", "(other sites)".to_owned())
        } else {
            (key, shown(key, key.len() < name.len()))
        };
        let oddity = if full {
            Some(Oddity::OneTooMany)
        } else if key.len() < name.len() {
            Some(Oddity::Long)
        } else {
            (shown != key || key.contains(['<', '>', '&', '"', '\''])).then_some(Oddity::Markup)
        };
        if let Some(id) = self.ids.get(key).filter(|_| full) {
            return (*id, oddity);
        }
        let id = SiteId(self.sites.len() as u32);
        self.ids.insert(key.to_owned(), id);
        self.sites.push(Site {
            name: shown,
            ..Site::default()
        });
        (id, oddity)
    }

    /// A site.
    pub fn get(&self, id: SiteId) -> &Site {
        &self.sites[id.index()]
    }

    pub(super) fn get_mut(&mut self, id: SiteId) -> &mut Site {
        &mut self.sites[id.index()]
    }

    /// In the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = &Site> {
        self.sites.iter()
    }

    /// Those whose scopes occupied most come first: heap, then tasks.
    pub fn by_pressure(&self) -> Vec<&Site> {
        let mut sites: Vec<_> = self.sites.iter().filter(|site| site.scopes > 0).collect();
        sites.sort_by(|a, b| {
            let key = |site: &Site| (site.heap_high_water, site.task_high_water);
            key(b).cmp(&key(a)).then_with(|| a.name.cmp(&b.name))
        });
        sites
    }
}

fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(LONGEST)]
}

/// Control characters and those that turn the direction of text would act on a terminal.
fn shown(name: &str, cut: bool) -> String {
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if acts(c) {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
    if cut {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_kept_once() {
        let mut sites = Sites::default();
        let (a, _) = sites.id("a.cpp:1");
        let (b, _) = sites.id("b.cpp:1");
        assert_ne!(a, b);
        assert_eq!(sites.id("a.cpp:1"), (a, None));
        assert_eq!(sites.get(b).name, "b.cpp:1");
    }

    #[test]
    fn what_would_act_on_a_terminal_is_written_out() {
        let mut sites = Sites::default();
        let (id, oddity) = sites.id("a\u{1b}[31m\n\u{202e}ü.cpp:1");
        assert_eq!(oddity, Some(Oddity::Markup));
        assert_eq!(sites.get(id).name, "a\\u{1b}[31m\\n\\u{202e}ü.cpp:1");
        assert_eq!(sites.id("<b>:1").1, Some(Oddity::Markup));
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let mut sites = Sites::default();
        let (id, oddity) = sites.id(&"ü".repeat(1000));
        assert_eq!(oddity, Some(Oddity::Long));
        assert_eq!(sites.get(id).name, "ü".repeat(LONGEST / 2) + "…");
    }

    #[test]
    fn sites_past_the_limit_share_one_entry() {
        let mut sites = Sites::default();
        for number in 0..MOST {
            assert_eq!(sites.id(&format!("a:{number}")).1, None);
        }
        let (other, oddity) = sites.id("b:1");
        assert_eq!(oddity, Some(Oddity::OneTooMany));
        assert_eq!(sites.id("b:2").0, other);
        assert_eq!(sites.id("a:7").1, None);
        assert_eq!(sites.iter().count(), MOST + 1);
    }
}
