//! Arrays of every element type, in files that are whole, strange and damaged.

use ndarray::{Array2, ArrayD, Ix2};
use pl_files::{Data, npy, safetensors};
use pl_runtime::{Element, bf16, f16};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn both<T: Element + Copy + PartialEq + std::fmt::Debug>(values: [T; 6]) {
    let array = Array2::from_shape_vec((2, 3), values.to_vec()).unwrap();
    let data = Data::of(&array.t());
    let name = T::DTYPE.name();
    npy::write_npy(&file(&format!("{name}.npy")), &data).unwrap();
    let read = npy::read_npy(&file(&format!("{name}.npy"))).unwrap();
    assert_eq!(read, data);
    assert_eq!(read.into_array::<T, Ix2>().unwrap(), array.t());
    let path = file(&format!("{name}.safetensors"));
    safetensors::write_safetensors(&path, [("a", &data), ("b", &Data::of(&array))]).unwrap();
    let mut read = safetensors::read_safetensors(&path).unwrap();
    read.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        read,
        [("a".to_owned(), data), ("b".to_owned(), Data::of(&array))]
    );
}

#[test]
fn every_element_type_keeps_its_bits_in_both_kinds_of_files() {
    both([1.5_f32, -0.0, f32::INFINITY, 1e-40, -2.0, 3.0]);
    both([1.5, -0.0, 65504.0, 6e-8, -2.0, 3.0].map(f16::from_f32));
    both([1.5, -0.0, 3e38, 1e-40, -2.0, 3.0].map(bf16::from_f32));
    both([-128_i8, 127, 0, 1, 2, 3]);
    both([i16::MIN, i16::MAX, 0, 1, 2, 3]);
    both([i32::MIN, i32::MAX, 0, 1, 2, 3]);
    both([i64::MIN, i64::MAX, 0, 1, 2, 3]);
    both([u8::MAX, 0, 1, 2, 3, 4]);
    both([u16::MAX, 0, 1, 2, 3, 4]);
    both([u32::MAX, 0, 1, 2, 3, 4]);
    both([u64::MAX, 0, 1, 2, 3, 4]);
    both([true, false, false, true, true, false]);
}

/// A `.npy` file as numpy writes it.
fn numpy(header: &str, elements: &[u8]) -> Vec<u8> {
    let mut text = header.to_owned();
    while !(10 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(elements);
    bytes
}

#[test]
fn the_order_of_elements_and_of_bytes_is_the_files() {
    let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }";
    let elements: Vec<u8> = [1_i16, 4, 2, 5, 3, 6]
        .iter()
        .flat_map(|v| v.to_be_bytes())
        .collect();
    let data = npy::parse(&numpy(header, &elements)).unwrap();
    let array = data.into_array::<i16, Ix2>().unwrap();
    assert_eq!(array, ndarray::array![[1, 2, 3], [4, 5, 6]]);
}

#[test]
fn arrays_without_elements_and_without_dimensions_are_read() {
    let empty = numpy(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 7), }",
        &[],
    );
    assert_eq!(npy::parse(&empty).unwrap().dims(), [0, 7]);
    let scalar = numpy(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
        &1_f32.to_le_bytes(),
    );
    let array: ArrayD<f32> = npy::parse(&scalar).unwrap().into_array_dyn().unwrap();
    assert_eq!((array.ndim(), array.sum()), (0, 1.0));
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let f4 =
        |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let huge = "(9223372036854775807, 9223372036854775807)";
    let nested = format!("{}{}", "(".repeat(4000), ")".repeat(4000));
    for (bytes, part) in [
        (Vec::new(), "not a .npy file"),
        (b"not numpy".to_vec(), "not a .npy file"),
        (
            numpy(&f4("(2, 3)"), &[0; 20]),
            "truncated: 4 bytes are missing",
        ),
        (numpy(&f4("(2, 3)"), &[0; 26]), "2 bytes follow"),
        (numpy(&f4(huge), &[0; 4]), "more elements than can be"),
        (
            numpy(&f4("(0, 9223372036854775807, 9223372036854775807)"), &[]),
            "",
        ),
        (numpy(&f4(&nested), &[]), "header is too long"),
        (
            numpy(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
                &[0; 8],
            ),
            "np.float32",
        ),
        (
            numpy(
                "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }",
                &[0; 8],
            ),
            "which no kernel takes",
        ),
        (
            numpy(
                "{'descr': '|b1', 'fortran_order': False, 'shape': (1,), }",
                &[2],
            ),
            "neither 0 nor 1",
        ),
        (numpy("{'descr': '<f4'}", &[]), "not a .npy file"),
    ] {
        let text = npy::parse(&bytes).unwrap_err();
        assert!(text.contains(part), "{part}: {text}");
    }
    for bytes in [
        &b""[..],
        b"\xff\xff\xff\xff\xff\xff\xff\xff{}",
        b"\x02\0\0\0\0\0\0\0{}junk",
    ] {
        let text = safetensors::parse(bytes).unwrap_err();
        assert!(text.contains("not a .safetensors file"), "{text}");
    }
}

#[test]
fn another_element_type_or_rank_is_named() {
    let data = Data::of(&ndarray::array![[1_i32, 2], [3, 4]]);
    let text = data.clone().into_array::<f32, Ix2>().unwrap_err();
    assert_eq!(text, "elements are i32, not f32");
    let text = data.into_array::<i32, ndarray::Ix3>().unwrap_err();
    assert_eq!(text, "an array of 2 dimensions, not 3");
}

#[test]
fn a_failing_write_leaves_what_was_there() {
    let path = file("kept.npy");
    let data = Data::of(&ndarray::array![1_u8, 2]);
    npy::write_npy(&path, &data).unwrap();
    let folder = file("a_folder.npy");
    std::fs::create_dir_all(&folder).unwrap();
    assert!(
        npy::write_npy(&folder, &data)
            .unwrap_err()
            .to_string()
            .contains("folder")
    );
    let twice = safetensors::write_safetensors(&path, [("a", &data), ("a", &data)]).unwrap_err();
    assert!(twice.to_string().contains("`a`"), "{twice}");
    assert_eq!(npy::read_npy(&path).unwrap(), data);
    assert!(npy::read_npy(Path::new("/no/such/file.npy")).is_err());
    assert!(
        npy::read_npy(&folder)
            .unwrap_err()
            .to_string()
            .contains("not a regular file")
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_the_readers_panic(
        at in 0..200_usize, byte in any::<u8>(), cut in 0..300_usize, junk in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let mut bytes = numpy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", &[7; 24]);
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        bytes.truncate(cut);
        drop(npy::parse(&bytes));
        drop(npy::parse(&junk));
        drop(safetensors::parse(&junk));
        drop(safetensors::parse(&bytes));
    }
}
