//! Copies from and to memory outside of the arena.

use super::super::{Arena, transpose, zeros};
use super::*;
use crate::dtype::Element;
use crate::tensor::SliceItem;

const SITE: Site = Site::new("kernel.rs", 7);

/// Views of a buffer of 4 x 5 x 6 elements, and which elements they select.
fn views(dtype: DType) -> Vec<(View, Vec<usize>)> {
    let whole = View::contiguous(dtype, &[4, 5, 6]).unwrap();
    let part = whole
        .slice(
            &[
                SliceItem::Range(1, 3),
                SliceItem::From(2),
                SliceItem::Range(1, 5),
            ],
            SITE,
        )
        .unwrap();
    let plane = whole
        .slice(
            &[SliceItem::Full, SliceItem::Index(3), SliceItem::Full],
            SITE,
        )
        .unwrap();
    let none = whole
        .slice(
            &[SliceItem::Range(2, 2), SliceItem::Full, SliceItem::Full],
            SITE,
        )
        .unwrap();
    let turned = part.transpose(0, 2, SITE).unwrap();
    let repeated = View::strided(dtype, 7, &[3, 2], &[0, 5]);
    [whole, part, plane, none, turned, repeated]
        .map(|view| (view, selected(&view)))
        .to_vec()
}

fn selected(view: &View) -> Vec<usize> {
    let mut all = vec![view.offset()];
    for (&dim, &stride) in view.dims().iter().zip(view.strides()) {
        all = all
            .iter()
            .flat_map(|at| (0..dim).map(move |i| at + i * stride))
            .collect();
    }
    all
}

fn check_load<T: Element + PartialEq + std::fmt::Debug>(element: impl Fn(usize) -> T) {
    let buffer = (0..120).map(element).collect::<Vec<T>>();
    for (view, at) in views(T::DTYPE) {
        let mut arena = Arena::new(1 << 16, true).unwrap();
        let core = arena.start_task();
        // SAFETY: all views lie in the buffer, which nobody writes.
        let from = unsafe { Readable::behind(buffer.as_ptr().cast_mut().cast(), view, true) };
        let tile = load_from(&core, SITE, &from).unwrap();
        assert_eq!((tile.dims(), tile.dtype()), (view.dims(), T::DTYPE));
        assert!(tile.view().is_contiguous());
        let expected = at.iter().map(|&i| buffer[i]).collect::<Vec<_>>();
        let flat = tile.reshape(&[expected.len()], SITE).unwrap();
        let ours = (0..expected.len()).map(|i| flat.get::<T>(SITE, &[i]).unwrap());
        assert_eq!(ours.collect::<Vec<_>>(), expected, "{view:?}");
    }
}

#[test]
fn loads_gather_the_elements_of_any_view() {
    check_load(|i| i as f32);
    check_load(|i| half::f16::from_f32(i as f32));
    check_load(|i| i as u8);
    check_load(|i| i as i64 - 60);
}

#[test]
fn loads_need_no_aligned_buffer() {
    let bytes = (0..=40_u8).collect::<Vec<_>>();
    let mut arena = Arena::new(4096, true).unwrap();
    let core = arena.start_task();
    for view in [
        View::contiguous(DType::U32, &[10]).unwrap(),
        View::strided(DType::U32, 0, &[5], &[2]),
    ] {
        // SAFETY: 40 bytes follow the first one; nobody writes them.
        let from = unsafe { Readable::behind(bytes[1..].as_ptr().cast_mut(), view, true) };
        let tile = load_from(&core, SITE, &from).unwrap();
        assert_eq!(
            tile.get::<u32>(SITE, &[0]).unwrap(),
            u32::from_ne_bytes([1, 2, 3, 4])
        );
    }
}

#[test]
fn bool_is_normalised_when_it_is_loaded() {
    let bytes = [0_u8, 1, 2, 255];
    let mut arena = Arena::new(4096, true).unwrap();
    let core = arena.start_task();
    let view = View::contiguous(DType::Bool, &[4]).unwrap();
    // SAFETY: four bytes that nobody writes.
    let from = unsafe { Readable::behind(bytes.as_ptr().cast_mut(), view, true) };
    let tile = load_from(&core, SITE, &from).unwrap();
    let bytes = core
        .arena()
        .memory
        .read::<u8, _>(tile.view(), <[u8]>::to_vec);
    assert_eq!(bytes, [0, 1, 1, 1]);
}

#[test]
fn stores_write_the_elements_of_the_view_and_no_other() {
    for turned in [false, true] {
        for (view, at) in views(DType::I16)
            .into_iter()
            .filter(|(view, _)| view.strides()[0] != 0)
        {
            let mut arena = Arena::new(1 << 16, true).unwrap();
            let core = arena.start_task();
            let (rank, mut dims) = (view.rank(), view.dims().to_vec());
            let mut tile = zeros(&core, SITE, DType::I16, &dims).unwrap();
            if turned {
                dims.swap(rank - 2, rank - 1);
                tile = zeros(&core, SITE, DType::I16, &dims).unwrap();
                tile = transpose(&core, SITE, tile).unwrap();
            }
            let mut expected = vec![-1_i16; 120];
            for (i, index) in selected(&View::contiguous(DType::I16, view.dims()).unwrap())
                .iter()
                .map(|&flat| unravel(flat, view.dims()))
                .enumerate()
            {
                tile.set(SITE, &index, i as i16).unwrap();
                expected[at[i]] = i as i16;
            }
            let mut buffer = vec![-1_i16; 120];
            let base = buffer.as_mut_ptr().cast();
            // SAFETY: all views lie in the buffer, which nobody else touches.
            let to = unsafe { Writable::behind(base, view, true) };
            store_to(&core, "store", SITE, &to, tile).unwrap();
            assert_eq!(buffer, expected, "{view:?}");
        }
    }
}

fn unravel(mut flat: usize, dims: &[usize]) -> Vec<usize> {
    let mut index = vec![0; dims.len()];
    for (i, &dim) in index.iter_mut().zip(dims).rev() {
        *i = flat % dim;
        flat /= dim;
    }
    index
}

#[test]
fn stores_of_another_shape_or_type_are_refused() {
    let mut arena = Arena::new(1 << 16, true).unwrap();
    let core = arena.start_task();
    let tile = zeros(&core, SITE, DType::F32, &[4, 6]).unwrap();
    let part = tile
        .slice(&[SliceItem::Range(0, 1), SliceItem::Full], SITE)
        .unwrap();
    let mut buffer = [0_f32; 24];
    for (dtype, tile, text) in [
        (
            DType::F32,
            part,
            "[1, 6] f32 cannot be copied to [4, 6] f32: shapes are not broadcast",
        ),
        (
            DType::I32,
            tile,
            "[4, 6] f32 cannot be copied to [4, 6] i32: write `cast::<i32>`",
        ),
    ] {
        let view = View::contiguous(dtype, &[4, 6]).unwrap();
        let base = buffer.as_mut_ptr().cast();
        // SAFETY: 24 elements of four bytes that nobody else touches.
        let to = unsafe { Writable::behind(base, view, true) };
        let error = store_to(&core, "store", SITE, &to, tile).unwrap_err();
        assert_eq!((error.operation, error.site), ("store", SITE));
        assert!(error.message.contains(text), "{error}");
    }
}
