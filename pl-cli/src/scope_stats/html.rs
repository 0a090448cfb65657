//! The summary as one page that needs nothing else.

use super::lane::{Lane, Resource};
use super::summary::Summary;
use super::text::risk;
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPTS: [&str; 3] = [
    include_str!("page/chart.js"),
    include_str!("page/table.js"),
    include_str!("page/page.js"),
];

impl Summary {
    /// A page with everything, for a summary read with `Detail::Course`. `name` is the file's.
    pub fn html(&self, name: &str) -> String {
        let mut data = self.json(name);
        data["ends_with_run"] = (!self.findings.lack_records()).into();
        data["names"] = self
            .sites
            .iter()
            .map(|site| Value::from(&*site.name))
            .collect();
        data["charts"] = Lane::all().filter_map(|lane| self.chart(lane)).collect();
        let common = self
            .sites
            .iter()
            .max_by_key(|site| site.scopes)
            .filter(|site| site.scopes > 0);
        data["most_common"] = common.map(|site| json!([site.name, site.scopes])).into();
        for (value, lane) in data["lanes"]
            .as_array_mut()
            .into_iter()
            .flatten()
            .zip(self.lanes())
        {
            let judged = match lane.resource() {
                Resource::Tensormap => self.figures(lane).live.map(|peak| peak.value),
                _ => self.pressure(lane),
            };
            value["risk"] = risk(judged.and_then(|value| self.share(lane, value))).into();
        }
        // In a script element only `<` could end the data; `\u003c` is the same in JSON.
        let data = data.to_string().replace('<', "\\u003c");
        let mut page = String::with_capacity(data.len() + (64 << 10));
        let (head, rest) = TEMPLATE
            .split_once("/*STYLE*/")
            .expect("the place of the style");
        let (body, rest) = rest.split_once("/*DATA*/").expect("the place of the data");
        let (middle, tail) = rest
            .split_once("/*SCRIPT*/")
            .expect("the place of the script");
        for part in [head, STYLE, body, &data, middle] {
            page.push_str(part);
        }
        for script in SCRIPTS {
            page.push_str(script);
        }
        page.push_str(tail);
        page
    }

    /// The course of one lane, in columns.
    fn chart(&self, lane: Lane) -> Option<Value> {
        let figures = self.figures(lane);
        let series = figures.series.as_ref()?;
        if figures.scopes == 0 {
            return None;
        }
        let metrics = match lane.resource() {
            Resource::Tensormap => &["live_at_exit"][..],
            _ => &["high_water", "live_at_exit", "alloc_per_scope"],
        };
        let mut chart = json!({
            "resource": lane.resource().key(), "ring": lane.ring(), "width": series.width(),
            "scopes": figures.scopes,
        });
        for (at, metric) in metrics.iter().enumerate() {
            let column = |value: &dyn Fn(&super::series::Extremes) -> u64| -> Vec<u64> {
                series
                    .buckets()
                    .iter()
                    .map(|bucket| value(&bucket[at]))
                    .collect()
            };
            chart[*metric] = json!({
                "max": column(&|e| e.max),
                "site": column(&|e| e.site.index() as u64),
            });
            // One by one, both are what the place says.
            if series.width() > 1 {
                chart[*metric]["min"] = column(&|e| e.min).into();
                chart[*metric]["at"] = column(&|e| e.at).into();
            }
        }
        Some(chart)
    }
}
