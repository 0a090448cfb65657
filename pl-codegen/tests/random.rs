//! Whatever stands in a function, expansion gives tokens and does not panic: functions put together
//! at random from the language's constructs, right ones and wrong ones, and tokens in any order.
#![cfg(feature = "syntax")]

use pl_codegen::ir::Kind;
use pl_codegen::passes::insert_auto_scopes;
use pl_codegen::syntax::{Spelling, expand, lower_file};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::sample::select;

const NAMES: &[&str] = &["x", "y", "a", "b", "n", "i", "t", "N", "f", "k"];

fn kind() -> impl Strategy<Value = Kind> {
    select(Kind::ALL.as_slice())
}

fn name() -> impl Strategy<Value = String> {
    select(NAMES).prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => name(),
        1 => any::<u8>().prop_map(|n| n.to_string()),
        1 => select(&["0.5", "true", "-1", "1e9", "'c'", "\"s\"", "f32::MAX", "self", "()", "[]"][..])
            .prop_map(str::to_owned),
    ]
}

/// An expression of whatever sense.
fn expr() -> impl Strategy<Value = String> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (
                two.clone(),
                select(&["+", "-", "*", "/", "%", "<", "==", "&&", "<<", ".."][..])
            )
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("(-{a})")),
            inner.clone().prop_map(|a| format!("({a} as usize)")),
            two.clone().prop_map(|(a, b)| format!("({a}, {b})")),
            (
                select(
                    &[
                        "k",
                        "load",
                        "exp",
                        "store",
                        "copy_to",
                        "zeros",
                        "f",
                        "other::h::<f32>"
                    ][..]
                ),
                two.clone()
            )
                .prop_map(|(f, (a, b))| format!("{f}({a}, {b})")),
            (
                select(&["load", "exp", "k", "parallel", "full"][..]),
                inner.clone()
            )
                .prop_map(|(f, a)| format!("{f}({a})")),
            two.clone()
                .prop_map(|(a, b)| format!("create_tensor::<f32>([{a}, {b}])")),
            (inner.clone(), two.clone())
                .prop_map(|(a, (b, c))| format!("{a}.slice(s![{b}..{c}, ..])")),
            (
                inner.clone(),
                select(&["dim", "get", "reshape", "init", "min", "foo"][..]),
                inner.clone()
            )
                .prop_map(|(a, m, b)| format!("{a}.{m}([{b}])")),
            (inner.clone(), two.clone())
                .prop_map(|(c, (a, b))| format!("if {c} {{ {a} }} else {{ {b} }}")),
            (
                select(&["scope", "manual_scope", "scratch_scope"][..]),
                inner
            )
                .prop_map(|(m, a)| format!("{m}!({{ {a} }})")),
        ]
    })
}

fn stmt() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        3 => (name(), expr()).prop_map(|(v, e)| format!("let {v} = {e};")),
        2 => (name(), expr()).prop_map(|(v, e)| format!("let mut {v} = {e};")),
        2 => (name(), name(), expr()).prop_map(|(a, b, e)| format!("let (mut {a}, {b}) = {e};")),
        3 => (name(), expr()).prop_map(|(v, e)| format!("{v} = {e};")),
        2 => (name(), name()).prop_map(|(a, b)| format!("({a}, {b}) = ({b}, {a});")),
        1 => expr().prop_map(|e| format!("let _ = {e};")),
        1 => (name(), expr()).prop_map(|(v, e)| format!("{v} += {e};")),
        4 => (name(), name()).prop_map(|(a, b)| format!("k({a}, {b});")),
        2 => expr().prop_map(|e| format!("{e};")),
        1 => select(&["break;", "continue;", "return;", ";", "let t;", "println!(\"\");"][..])
            .prop_map(str::to_owned),
    ];
    simple.prop_recursive(4, 24, 4, |inner| {
        let block = || proptest::collection::vec(inner.clone(), 0..4).prop_map(|s| s.concat());
        prop_oneof![
            (name(), expr(), block()).prop_map(|(v, e, b)| format!("for {v} in 0..{e} {{ {b} }}")),
            (
                select(&["parallel(0..4)", "unroll(0..N)", "(0..8).step_by(2).rev()"][..]),
                block()
            )
                .prop_map(|(r, b)| format!("for i in {r} {{ {b} }}")),
            (expr(), block()).prop_map(|(c, b)| format!("while {c} {{ {b} }}")),
            (expr(), block(), block())
                .prop_map(|(c, a, b)| format!("if {c} {{ {a} }} else {{ {b} }}")),
            (
                select(
                    &[
                        "scope!(",
                        "manual_scope!(",
                        "scratch_scope!(",
                        "scope!(ScopeMode::Manual, "
                    ][..]
                ),
                block()
            )
                .prop_map(|(m, b)| format!("{m}{{ {b} }});")),
            block().prop_map(|b| format!("{{ {b} }}")),
        ]
    })
}

fn function() -> impl Strategy<Value = String> {
    let body = proptest::collection::vec(stmt(), 0..8);
    (body, proptest::option::of(expr())).prop_map(|(body, tail)| {
        format!(
            "fn f<T: Element, const N: usize>(x: Tensor<f32, N>, n: usize, mut y: Out<Tensor<f32, _>>) \
             {{ {} {} }}",
            body.concat(),
            tail.unwrap_or_default()
        )
    })
}

fn token() -> impl Strategy<Value = TokenTree> {
    let words = &[
        "fn",
        "let",
        "mut",
        "for",
        "in",
        "if",
        "else",
        "while",
        "x",
        "y",
        "f",
        "scope",
        "s",
        "self",
        "as",
        "Tensor",
        "Out",
        "f32",
        "create_tensor",
        "load",
        "where",
        "dims",
        "auto_scope",
        "crate",
        "true",
    ];
    let plain = prop_oneof![
        6 => select(&words[..]).prop_map(|word| Ident::new(word, Span::call_site()).into()),
        1 => any::<u32>().prop_map(|n| Literal::u32_unsuffixed(n).into()),
        1 => Just(Literal::string("text").into()),
        5 => (select(&['.', ',', ';', ':', '=', '<', '>', '!', '&', '|', '#', '+', '-', '*'][..]), any::<bool>())
            .prop_map(|(c, joint)| {
                let spacing = if joint { Spacing::Joint } else { Spacing::Alone };
                Punct::new(c, spacing).into()
            }),
    ];
    plain.prop_recursive(4, 64, 8, |inner| {
        let delimiters = [
            Delimiter::Parenthesis,
            Delimiter::Brace,
            Delimiter::Bracket,
            Delimiter::None,
        ];
        (
            select(delimiters.to_vec()),
            proptest::collection::vec(inner, 0..8),
        )
            .prop_map(|(delimiter, tokens): (Delimiter, Vec<TokenTree>)| {
                Group::new(delimiter, tokens.into_iter().collect()).into()
            })
    })
}

fn tokens() -> impl Strategy<Value = TokenStream> {
    proptest::collection::vec(token(), 0..24).prop_map(|tokens| tokens.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn functions_made_at_random_become_rust(text in function(), kind in kind()) {
        let item: TokenStream = text.parse().expect("tokens");
        let expanded = expand(Spelling::Jit(kind), TokenStream::new(), item.clone());
        if syn::parse2::<syn::ItemFn>(item).is_ok() {
            let error = syn::parse2::<syn::File>(expanded.clone()).err();
            prop_assert!(error.is_none(), "{error:?}: {expanded}");
        }
    }

    #[test]
    fn the_same_mistakes_are_found_every_time(text in function()) {
        let text = format!("#[pl::jit]\n{text}");
        let Ok(first) = lower_file(&text) else { return Ok(()) };
        let second = lower_file(&text).expect("as before");
        for (a, b) in first.iter().zip(&second) {
            prop_assert_eq!(&a.diagnostics, &b.diagnostics);
            let scoped = insert_auto_scopes(a.unit.function.clone());
            prop_assert_eq!(insert_auto_scopes(scoped.clone()), scoped);
        }
    }

    #[test]
    fn tokens_in_any_order_become_tokens(args in tokens(), item in tokens(), kind in kind()) {
        expand(Spelling::Jit(kind), args, item);
    }

    #[test]
    fn a_function_with_any_tokens_in_it_becomes_tokens(
        args in tokens(), params in tokens(), body in tokens(), kind in kind()
    ) {
        expand(Spelling::Jit(kind), args, quote::quote!(fn f(#params) { #body }));
    }
}
