//! What stands in the files, byte by byte.

use super::*;

const META: &str = "{\"version\": 6, \"fatal\": false, \"dropped\": 0, \"total\": 4, \
     \"task_window_max\": [16, 16, 16, 16], \
     \"heap_max\": [1048576, 1048576, 1048576, 1048576], \
     \"dep_pool_max\": [64, 64, 64, 64], \"tensormap_max\": 65536}\n";

#[test]
fn the_example_of_the_schema_gives_these_bytes() {
    let dir = WorkDir::new("example");
    let rt = dir.runtime(1 << 20, 16, serial());
    let report = run(&rt, |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        alloc(&scope, DEMO, 64, 16)?;
        alloc(&scope, DEMO, 32, 16)?;
        Ok(())
    })
    .unwrap();
    let records = r#"{"site": "(root):0", "phase": "begin", "depth": 0, "ring": 0, "task_window_start": 0, "task_window_end": 0, "heap_start": 0, "heap_end": 0, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
{"site": "demo.rs:41", "phase": "begin", "depth": 1, "ring": 1, "task_window_start": 0, "task_window_end": 0, "heap_start": 0, "heap_end": 0, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
{"site": "demo.rs:41", "phase": "end", "depth": 1, "ring": 1, "task_window_start": 0, "task_window_end": 2, "heap_start": 0, "heap_end": 6144, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
{"site": "(root):0", "phase": "end", "depth": 0, "ring": 0, "task_window_start": 0, "task_window_end": 0, "heap_start": 0, "heap_end": 0, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
"#;
    assert_eq!(dir.text(), format!("{META}{records}"));
    assert_eq!(report.reports, Some(dir.0.join("dfx_outputs")));
    assert_eq!((report.ring_dep_pool, report.clusters), ([64; 4], 8));
}

#[test]
fn run_json_says_how_the_run_was_set_up_and_what_it_needed() {
    let dir = WorkDir::new("run_json");
    let mut config = dir.config(1 << 20, 16, random(7));
    config.ring_heap = [4096, 1 << 20, 2048, 8192].into();
    config.clusters = 3;
    run(&Runtime::new(config).unwrap(), |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        alloc(&scope, DEMO, 64, 16)?;
        nothings(&scope, 3)
    })
    .unwrap();
    let idle = |heap: u32| {
        format!(
            r#"    {{
      "ring_heap": {heap},
      "ring_task_window": 16,
      "ring_dep_pool": 64,
      "kernel_tasks": 0,
      "alloc_tasks": 0,
      "heap_high_water": 0,
      "heap_demand": 0
    }}"#
        )
    };
    let expected = format!(
        r#"{{
  "version": 1,
  "entry": "entry",
  "outcome": {{
    "ok": true
  }},
  "executor": "serial-random(7)",
  "reclaim": "lazy",
  "dependencies": "sound",
  "manual_audit": "on",
  "clusters": 3,
  "tensormap_high_water": 0,
  "scopes": 2,
  "rings": [
{},
    {{
      "ring_heap": 1048576,
      "ring_task_window": 16,
      "ring_dep_pool": 64,
      "kernel_tasks": 3,
      "alloc_tasks": 1,
      "heap_high_water": 4096,
      "heap_demand": 4096
    }},
{},
{}
  ]
}}
"#,
        idle(4096),
        idle(2048),
        idle(8192)
    );
    assert_eq!(
        fs::read_to_string(dir.folder().join("run.json")).unwrap(),
        expected
    );
}

#[test]
fn the_rings_of_scopes_deeper_than_3_are_ring_3() {
    fn nest(scope: &Scope<'_>, depth: u32) -> Outcome {
        if depth == 0 {
            return Ok(());
        }
        nest(
            &scope.enter(ScopeMode::Auto, Site::new("nest.rs", depth))?,
            depth - 1,
        )
    }
    let dir = WorkDir::new("nested");
    run(&dir.runtime(1 << 20, 16, serial()), |root| nest(root, 10)).unwrap();
    let text = dir.text();
    let places: Vec<_> = text
        .lines()
        .skip(1)
        .map(|line| {
            let record: Value = serde_json::from_str(line).unwrap();
            (
                record["depth"].as_u64().unwrap(),
                record["ring"].as_u64().unwrap(),
            )
        })
        .collect();
    let down = (0..=10).map(|depth| (depth, depth.min(3)));
    assert_eq!(places, down.clone().chain(down.rev()).collect::<Vec<_>>());
}

#[test]
fn names_are_escaped_and_never_cut() {
    const LONG: &str = "a_module_whose_name_is_longer_than_thirty_one_bytes.rs";
    let dir = WorkDir::new("names");
    run(&dir.runtime(1 << 20, 16, serial()), |root| {
        for file in [
            "src/say \"hi\".rs",
            "src\\win.rs",
            "src/\t\u{1}.rs",
            "src/größe.rs",
            LONG,
        ] {
            drop(root.enter(ScopeMode::Auto, Site::new(file, 1))?);
        }
        Ok(())
    })
    .unwrap();
    let text = dir.text();
    for name in [
        r#"say \"hi\".rs"#,
        "win.rs",
        "\\t\\u0001.rs",
        "größe.rs",
        LONG,
    ] {
        let count = text.matches(&format!("{{\"site\": \"{name}:1\", ")).count();
        assert_eq!(count, 2, "{name}");
    }
    assert_eq!(dir.lines().1.len(), 12);
}

#[test]
fn a_forgotten_guard_ends_with_the_scope_around_it() {
    let dir = WorkDir::new("forgotten");
    run(&dir.runtime(1 << 20, 16, serial()), |root| {
        std::mem::forget(root.enter(ScopeMode::Auto, DEMO)?);
        Ok(())
    })
    .unwrap();
    assert_eq!(
        dir.lines().1,
        [
            "(root):0 begin",
            "demo.rs:41 begin",
            "demo.rs:41 end",
            "(root):0 end"
        ]
    );
}

/// All keys in a value.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            found.push(key.clone());
            keys(value, found);
        }),
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_in_the_documentation() {
    let dir = WorkDir::new("keys");
    let rt = dir.runtime(1 << 20, 16, serial());
    run(&rt, |root| Err(root.report_fatal(DEMO, 9, "enough"))).unwrap_err();
    let mut found = Vec::new();
    keys(&dir.run_json(), &mut found);
    for line in dir.text().lines() {
        keys(&serde_json::from_str(line).unwrap(), &mut found);
    }
    assert!(found.len() > 40);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scope-stats.md");
    let page = fs::read_to_string(page).unwrap();
    for key in found {
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
}
