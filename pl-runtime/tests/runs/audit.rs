//! What the device leaves unordered, by the rows of its rules (runtime specification, §7).

use crate::common::{AFFINE, ENTRY, UPDATE, alloc, info, submit, submit_fill};
use ndarray::Array2;
use pl_runtime::plan::Audit;
use pl_runtime::{
    EntryArg, Error, PredicateOp, RunConfig, Scope, ScopeMode, Site, SliceItem, TaskArg, TaskSpec,
    Tensor, Values, shape,
};

type Outcome = Result<(), Error>;

const fn line(line: u32) -> Site {
    Site::new("program.rs", line)
}

/// The audit of a program with an input and an output of 8 x 8.
fn audit(body: impl for<'r> Fn(&'r Scope<'r>, Tensor<'r>, Tensor<'r>) -> Outcome) -> Audit {
    let config = RunConfig {
        values: Values::default().at("program.rs:99", [1_u32]),
        ..RunConfig::default()
    };
    Audit::new(&config, |runtime| {
        let x = Array2::<u32>::zeros((8, 8));
        let args = [
            EntryArg::input(&x)?,
            EntryArg::inout::<u32, 2>(shape([8, 8]))?,
        ];
        runtime.run(&ENTRY, args, |root, [x, y]| body(root, x, y))
    })
    .unwrap()
}

/// Lines of the two calls of each hazard, and how often.
fn pairs(audit: &Audit) -> Vec<(u32, u32, u64)> {
    let pair = |h: &pl_runtime::plan::Hazard| (h.first.site.line, h.second.site.line, h.times);
    audit.hazards.iter().map(pair).collect()
}

fn read(scope: &Scope<'_>, at: u32, x: Tensor<'_>) -> Outcome {
    let args = [TaskArg::Input(x), TaskArg::Output(info(8, 8))];
    submit(scope, line(at), &AFFINE, &args, 1, &[]).map(drop)
}

fn update(scope: &Scope<'_>, at: u32, x: Tensor<'_>, y: Tensor<'_>) -> Outcome {
    submit(
        scope,
        line(at),
        &UPDATE,
        &[TaskArg::Input(x), TaskArg::InOut(y)],
        1,
        &[],
    )
    .map(drop)
}

fn write(scope: &Scope<'_>, at: u32, y: Tensor<'_>) -> Outcome {
    submit_fill(scope, line(at), y, 1).map(drop)
}

#[test]
fn what_the_devices_map_finds_is_ordered() {
    let audit = audit(|root, x, y| {
        let t = alloc(root, line(1), 8, 8)?;
        write(root, 2, t)?;
        read(root, 3, t)?;
        update(root, 4, x, y)?;
        update(root, 5, x, y)?;
        read(root, 6, y)
    });
    assert!(audit.is_clean(), "{audit}");
}

#[test]
fn a_write_of_an_existing_output_after_any_write_is_not_ordered() {
    let audit = audit(|root, x, y| {
        update(root, 1, x, y)?;
        write(root, 2, y)?;
        write(root, 3, y)
    });
    assert_eq!(pairs(&audit), [(1, 2, 1), (2, 3, 1)]);
    assert_eq!(audit.hazards[0].bytes, (0, 256));
    let text = audit.to_string();
    assert!(
        text.contains("declare the parameter that is written `InOut<..>`"),
        "{text}"
    );
}

#[test]
fn a_write_after_a_read_is_not_ordered_whatever_its_tag() {
    let audit = audit(|root, x, y| {
        read(root, 1, y)?;
        update(root, 2, x, y)?;
        read(root, 3, y)?;
        write(root, 4, y)
    });
    let found = pairs(&audit);
    assert!(
        found.contains(&(1, 2, 1)) && found.contains(&(3, 4, 1)),
        "{audit}"
    );
    assert!(audit.to_string().contains("declare it `InOut<..>` in both"));
}

#[test]
fn accesses_of_different_bytes_are_no_pair() {
    let audit = audit(|root, _, y| {
        let half = |range| y.slice(&[range, SliceItem::Full], line(9));
        write(root, 1, half(SliceItem::Range(0, 4))?)?;
        write(root, 2, half(SliceItem::From(4))?)
    });
    assert!(audit.is_clean(), "{audit}");
}

#[test]
fn a_declared_dependency_orders_also_through_other_tasks() {
    let audit = audit(|root, x, y| {
        let args = [TaskArg::Input(y), TaskArg::Output(info(8, 8))];
        let first = submit(root, line(1), &AFFINE, &args, 1, &[])?.task_id();
        let barrier = root
            .submit(line(2), TaskSpec::dummy(&[]).deps(&[first]))?
            .task_id();
        let args = [TaskArg::Input(x), TaskArg::OutputExisting(y)];
        submit(root, line(3), &AFFINE, &args, 1, &[barrier]).map(drop)
    });
    assert!(audit.is_clean(), "{audit}");
}

#[test]
fn a_get_that_waits_for_a_task_orders_all_that_follows() {
    let audit = audit(|root, x, y| {
        update(root, 1, x, y)?;
        root.get::<u32>(line(2), x, &[0, 0])?;
        write(root, 3, y)
    });
    assert_eq!(pairs(&audit), [(1, 3, 1)], "the get is of another tensor");
    let config = RunConfig {
        values: Values::default().at("program.rs:2", [1_u32]),
        ..RunConfig::default()
    };
    let audit = Audit::new(&config, |runtime| {
        let args = [EntryArg::inout::<u32, 2>(shape([8, 8]))?];
        runtime.run(&ENTRY, args, |root, [y]| {
            update(
                root,
                1,
                y.slice(&[SliceItem::Range(0, 0), SliceItem::Full], line(8))?,
                y,
            )?;
            root.get::<u32>(line(2), y, &[0, 0])?;
            write(root, 3, y)
        })
    });
    let audit = audit.unwrap();
    assert!(audit.is_clean(), "{audit}");
}

#[test]
fn a_set_overtakes_readers_on_the_device() {
    let audit = audit(|root, _, y| {
        read(root, 1, y)?;
        root.set(line(2), y, &[0, 0], 3_u32)
    });
    assert_eq!(pairs(&audit), [(1, 2, 1)]);
    assert_eq!(audit.hazards[0].second.kernel, "set");
}

#[test]
fn the_operand_of_a_predicate_is_no_dependency_on_the_device() {
    let audit = audit(|root, x, y| {
        let flag = alloc(root, line(1), 8, 8)?;
        write(root, 2, flag)?;
        let args = [TaskArg::Input(x), TaskArg::InOut(y)];
        let task = TaskSpec::new(&UPDATE, crate::common::update, &args, &[]);
        let zero = [crate::common::zero()];
        let task = task
            .scalars(&zero)
            .predicate(&flag, &[0, 0], PredicateOp::Gt, 0);
        root.submit(line(99), task).map(drop)
    });
    assert_eq!(pairs(&audit), [(2, 99, 1)]);
    assert_eq!(audit.hazards[0].parameter, "the operand of its predicate");
}

#[test]
fn a_manual_scope_orders_nothing_by_itself_inside_and_to_both_sides() {
    let audit = audit(|root, x, y| {
        update(root, 1, x, y)?;
        {
            let manual = root.enter(ScopeMode::Manual, line(2))?;
            update(&manual, 3, x, y)?;
            update(&manual, 4, x, y)?;
        }
        update(root, 5, x, y)
    });
    assert_eq!(pairs(&audit), [(1, 3, 1), (3, 4, 1), (4, 5, 1)]);
    let manual: Vec<bool> = audit.hazards.iter().map(|h| h.manual).collect();
    assert_eq!(manual, [true, true, true]);
}

#[test]
fn a_tensor_that_a_manual_scope_uses_is_not_kept_where_its_bytes_are_given_away() {
    let body = |again: bool, declared: bool| {
        audit(move |root, x, _| {
            for _ in 0..if again { 3 } else { 1 } {
                let scope = root.enter(ScopeMode::Auto, line(1))?;
                let outputs = scope.alloc_tensors(line(2), &[info(8, 8)])?;
                let (t, owner) = (outputs.get_ref(0), [outputs.task_id()]);
                let manual = scope.enter(ScopeMode::Manual, line(3))?;
                let deps = if declared { &owner[..] } else { &[] };
                let args = [TaskArg::Input(x), TaskArg::OutputExisting(t)];
                submit(&manual, line(4), &AFFINE, &args, 1, deps)?;
            }
            Ok(())
        })
    };
    let unkept = body(true, false).unkept;
    assert_eq!(unkept.len(), 1);
    let found = (
        unkept[0].made.line,
        unkept[0].user.site.line,
        unkept[0].reused.line,
        unkept[0].times,
    );
    assert_eq!(found, (2, 4, 2, 2), "the third is the last");
    assert!(body(true, true).is_clean());
    assert!(
        body(false, false).is_clean(),
        "nothing is allocated after it"
    );
}

#[test]
fn scopes_that_share_ring_3_with_a_live_block_are_told() {
    let audit = audit(|root, _, _| {
        let a = root.enter(ScopeMode::Auto, line(1))?;
        let b = a.enter(ScopeMode::Auto, line(2))?;
        let c = b.enter(ScopeMode::Auto, line(3))?;
        drop(c.enter(ScopeMode::Auto, line(4))?);
        alloc(&c, line(5), 8, 8)?;
        for _ in 0..2 {
            drop(c.enter(ScopeMode::Auto, line(6))?);
        }
        Ok(())
    });
    assert_eq!(audit.deep_scopes.len(), 1);
    let deep = &audit.deep_scopes[0];
    assert_eq!(
        (deep.scope, deep.depth, deep.held_by),
        (line(6), 4, line(5))
    );
    assert_eq!((deep.bytes, deep.times), (1024, 2));
}

#[test]
fn pairs_of_the_same_two_calls_are_counted() {
    let audit = audit(|root, _, y| {
        for _ in 0..5 {
            write(root, 1, y)?;
        }
        Ok(())
    });
    assert_eq!(pairs(&audit), [(1, 1, 4)]);
    let json: serde_json::Value = serde_json::from_str(&audit.to_json()).unwrap();
    assert_eq!(json["hazards"][0]["times"], 4);
    assert_eq!(json["hazards"][0]["first"]["site"], "program.rs:1");
}
