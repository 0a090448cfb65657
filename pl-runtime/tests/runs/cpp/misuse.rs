//! What a source does wrong is an error that says what and where; nothing aborts.

use super::*;

/// Runs a body on an input and an output of 8 floats; gives its error.
fn refused(body: &str) -> String {
    refused_by(orchestration(body))
}

fn refused_by(mut compiled: Orchestration) -> String {
    compiled.on_log(|_, _| ());
    let runtime = Runtime::new(RunConfig::default()).unwrap();
    let (x, mut y) = (Array1::<f32>::ones(8), Array1::<f32>::zeros(8));
    let mut args = [
        EntryArg::input::<f32, 1>(&x).unwrap(),
        EntryArg::output::<f32, 1>(&mut y).unwrap(),
    ];
    let outcome = compiled.run(&runtime, &Kernels::none(), &mut args, &[3]);
    let Err(CppError::Run(error)) = outcome else {
        panic!("it runs: {outcome:?}")
    };
    error.to_string()
}

const HEAD: &str = "const ChipTensor& x = args.tensor(0).ref(); const ChipTensor& y = args.tensor(1).ref(); (void)x; (void)y; uint32_t eight[1] = {8}; (void)eight; CoreTaskArgs p;";

macro_rules! refusals {
    ($($name:ident, $code:literal, $body:literal, [$($part:literal),*];)*) => {$(
        #[test]
        fn $name() {
            let text = refused(&format!("{HEAD}\n{}", $body));
            assert!(text.starts_with(concat!("orch_error_code=", $code, " ")), "{text}");
            $(assert!(text.contains($part), "{}: {text}", $part);)*
        }
    )*};
}

refusals! {
    an_argument_that_there_is_not, 5, "p.add_input(args.tensor(7).ref()); rt_submit_aiv_task(0, p);",
        ["tensor argument 7 of 2", "orch.cpp:2"];
    a_scalar_that_there_is_not, 5, "args.scalar(1);", ["scalar argument 1 of 1", "orch.cpp:2"];
    a_tensor_after_a_scalar, 5, "p.add_scalar(1); p.add_input(x);\nrt_submit_aiv_task(0, p);",
        ["task 0", "tensors come first", "orch.cpp:3"];
    dependencies_at_null, 5, "p.set_dependencies(nullptr, 4);\nrt_submit_aiv_task(0, p);", ["null"];
    a_task_id_that_names_none, 5,
        "PTO2TaskId ids[1]; p.set_dependencies(ids, 1); rt_submit_aiv_task(0, p);", ["dependency 0", "is_valid()"];
    a_task_id_of_a_ring_that_there_is_not, 5,
        "PTO2TaskId ids[1] = {PTO2TaskId::make(200, 0)}; p.set_dependencies(ids, 1); rt_submit_aiv_task(0, p);",
        ["dependency 0"];
    a_dependency_that_only_retains, 5,
        "PTO2TaskId ids[1] = {rt_submit_dummy_task(p).task_id()}; PTO2DepKind kinds[1] = {PTO2DepKind::RETAIN};
         p.set_dependencies_with_kinds(ids, kinds, 1); rt_submit_aiv_task(0, p);", ["kind 2"];
    get_ref_of_a_result_without_tensors, 5,
        "TaskOutputTensors none = rt_submit_aiv_task(0, p);\nconst ChipTensor& t = none.get_ref(0);
         CoreTaskArgs q; q.add_input(t); rt_submit_aiv_task(0, q);", ["get_ref(0)", "0 outputs", "orch.cpp:3"];
    a_shape_beyond_all_addresses, 5,
        "uint32_t s[5] = {65536, 65536, 65536, 65536, 65536};\nTensorCreateInfo c(s, 5, DataType::FLOAT32); alloc_tensors(c);",
        ["larger than the address space", "orch.cpp:3"];
    no_block, 5, "p.launch_spec.set_block_num(0);\nrt_submit_aiv_task(0, p);", ["block_num is 0"];
    no_kernel, 5, "rt_submit_task(MixedKernels{}, p);", ["no kernel"];
    a_kernel_number_that_there_is_not, 5, "rt_submit_aiv_task(1024, p);", ["1023"];
    blocks_that_cannot_start_together, 7,
        "p.launch_spec.set_block_num(1000); p.launch_spec.set_require_sync_start(true); rt_submit_aiv_task(0, p);",
        ["1000"];
    an_auto_scope_inside_a_manual_one, 5,
        "PTO2_SCOPE(PTO2ScopeMode::MANUAL) {\nPTO2_SCOPE() { rt_submit_aiv_task(0, p); } }",
        ["AUTO scope", "orch.cpp:3"];
    sixty_five_scopes, 5, "for (int i = 0; i < 70; ++i) rt_scope_begin();", ["64 scopes"];
    an_end_without_a_begin, 5, "rt_scope_end();", ["rt_scope_end"];
    a_scope_that_is_left_open, 5, "rt_scope_begin();", ["rt_scope_end", "missing"];
    a_view_that_is_not_inside, 5,
        "uint32_t at[1] = {4};\nChipTensor v = x.view(eight, at); p.add_input(v); rt_submit_aiv_task(0, p);",
        ["view", "8 elements from 4", "orch.cpp:3"];
    a_slice_that_is_none, 5, "x.slice(0, 3, 3);", ["slice", "3..3"];
    a_reshape_of_other_elements, 5, "uint32_t s[1] = {9}; x.reshape(s, 1);", ["reshape", "9 elements"];
    a_reshape_of_gaps, 5, "uint32_t s[1] = {4}; x.slice(0, 0, 8, 2).reshape(s, 1);", ["gaps"];
    a_dimension_that_cannot_be_transposed, 5, "x.transpose(0, 1);", ["transpose"];
    a_forged_size, 5,
        "ChipTensor v = x; v.shapes[0] = 9; p.add_input(v);\nrt_submit_aiv_task(0, p);",
        ["task 0: argument 0", "not inside its buffer", "orch.cpp:3"];
    a_forged_offset, 5,
        "ChipTensor v = x; v.start_offset = UINT64_MAX; p.add_input(v); rt_submit_aiv_task(0, p);",
        ["not inside its buffer"];
    forged_strides, 5,
        "ChipTensor v = x; v.strides[0] = UINT32_MAX; p.add_input(v); rt_submit_aiv_task(0, p);",
        ["not inside its buffer"];
    a_forged_element_type, 5, "ChipTensor v = x; v.dtype = DataType::FP4E2M1; p.add_input(v); rt_submit_aiv_task(0, p);",
        ["element type 14"];
    a_forged_rank, 5, "ChipTensor v = x; v.ndims = 6; p.add_input(v); rt_submit_aiv_task(0, p);", ["not 6"];
    a_tensor_in_memory_that_nobody_lent, 5,
        "float own[8]; ChipTensor v = make_tensor_external(own, eight, 1); p.add_input(v); rt_submit_aiv_task(0, p);",
        ["no argument of the entry"];
    a_tensor_that_was_never_assigned, 5, "ChipTensor v; p.add_input(v); rt_submit_aiv_task(0, p);", ["empty"];
    a_tensor_kept_by_value_after_its_scope, 5,
        "ChipTensor v; PTO2_SCOPE() { TensorCreateInfo ci(eight, 1); TaskOutputTensors t = alloc_tensors(ci); v = t.get_ref(0); }
         p.add_input(v);\nrt_submit_aiv_task(0, p);",
        ["scope that has closed", "orch.cpp:4"];
    a_tensor_kept_by_reference_after_its_scope, 5,
        "const ChipTensor* v = nullptr; PTO2_SCOPE() { TensorCreateInfo ci(eight, 1); TaskOutputTensors t = alloc_tensors(ci); v = &t.get_ref(0); }
         p.add_input(*v); rt_submit_aiv_task(0, p);",
        ["scope that has closed"];
    a_kept_tensor_whose_place_belongs_to_another, 5,
        "ChipTensor v; PTO2_SCOPE() { TensorCreateInfo ci(eight, 1); TaskOutputTensors t = alloc_tensors(ci); v = t.get_ref(0); }
         PTO2_SCOPE() { TensorCreateInfo ci(eight, 1); TaskOutputTensors t = alloc_tensors(ci); p.add_input(v); rt_submit_aiv_task(0, p); (void)t; }",
        ["scope that has closed"];
    a_write_of_an_input, 5, "p.add_output(x); rt_submit_aiv_task(0, p);", ["input of the entry"];
    an_index_outside, 5, "uint32_t at[1] = {8}; get_tensor_data<float>(x, 1, at);", ["[8]"];
    an_index_of_another_rank, 5, "uint32_t at[2] = {0, 0}; get_tensor_data<float>(x, 2, at);", ["[0, 0]"];
    an_index_of_too_many_numbers, 5, "uint32_t at[7] = {}; get_tensor_data<float>(x, 7, at);", ["7 numbers"];
    a_double_for_a_float, 5, "uint32_t at[1] = {0}; set_tensor_data(y, 1, at, 1.0);", ["8 bytes"];
    no_tensor_to_allocate, 5, "alloc_tensors(&*(TensorCreateInfo*)nullptr, 0);", ["0 tensors"];
    too_many_tensors_to_allocate, 5, "static TensorCreateInfo ci[40]; alloc_tensors(ci, 40);", ["40 tensors"];
    a_rank_that_cannot_be_allocated, 5, "uint32_t s[6] = {1, 1, 1, 1, 1, 1}; TensorCreateInfo ci(s, 6); alloc_tensors(ci);", ["not 6"];
    an_input_to_alloc_tensors, 5, "p.add_input(x); alloc_tensors(p);", ["create infos"];
    a_predicate_on_floats, 5,
        "p.set_predicate(CoreTaskPredicate{{&x, 1, {0}}, PredicateOp::GT, 0}); rt_submit_aiv_task(0, p);", ["predicate"];
    a_predicate_with_an_unknown_operator, 5,
        "p.set_predicate(CoreTaskPredicate{{&x, 1, {0}}, static_cast<PredicateOp>(9), 0}); rt_submit_aiv_task(0, p);",
        ["operator 9"];
    a_timing_slot_that_there_is_not, 5, "p.set_task_timing_slot(16); rt_submit_aiv_task(0, p);", ["0 to 15"];
    a_dump_of_what_is_no_argument, 5, "p.add_input(x); p.dump(y); rt_submit_aiv_task(0, p);", ["dump"];
    what_it_reports_itself, 9, "rt_report_fatal(9, \"gave up at %d\", 3);\nrt_submit_aiv_task(0, p);", ["gave up at 3", "orch.cpp:2"];
    what_it_reports_with_code_zero, 9, "rt_report_fatal(0, \"x\");", ["x"];
    what_it_reports_with_a_code_of_its_own, 42, "rt_report_fatal(42, \"x\"); rt_report_fatal(43, \"later\");", ["x"];
    an_exception, 9, "PTO2_SCOPE() { throw 3; }", ["threw"];
    the_end_of_the_orchestration_in_its_middle, 5, "rt_orchestration_done();", ["rt_orchestration_done"];
}

#[test]
fn after_an_error_nothing_happens_and_everything_can_be_called() {
    let text = refused(
        "rt_report_fatal(9, \"first\");
         const ChipTensor& x = args.tensor(0).ref(); const ChipTensor& none = args.tensor(9).ref();
         CoreTaskArgs p; p.add_input(x, none);
         TaskOutputTensors t = rt_submit_aiv_task(0, p);
         uint32_t at[1] = {0};
         PTO2_SCOPE() { PTO2_SCOPE_GUARD(PTO2ScopeMode::MANUAL); set_tensor_data(t.get_ref(0), 1, at, 1.0f); }
         bool good = rt_is_fatal() && t.empty() && !t.task_id().is_valid() && get_tensor_data(x, 1, at) == 0
                     && rt_available_aiv_count() == 16 && rt_available_cluster_count() == 8;
         if (!good) throw 1;
         LOG_INFO(\"still %d\", 1);",
    );
    assert!(text.contains("first"), "{text}");
}

/// Not left out without a word.
#[test]
fn calls_that_no_run_hears_are_an_error() {
    let text = "#include <thread>\n#include \"pto_orchestration_api.h\"\n\
        extern \"C\" void aicpu_orchestration_entry(const ChipTaskArgs& args) {\n\
        std::thread other([&] { CoreTaskArgs p; p.add_input(args.tensor(0).ref());\n\
        rt_submit_aiv_task(0, p); rt_submit_aiv_task(0, p); });\nother.join(); }\n";
    // SAFETY: a source of these tests.
    let compiled = unsafe { Orchestration::compile_text("threads.cpp", text, &options()) };
    let text = refused_by(compiled.unwrap());
    assert!(text.starts_with("orch_error_code=5 "), "{text}");
    assert!(
        text.contains("2 calls of the runtime on other threads"),
        "{text}"
    );
}
