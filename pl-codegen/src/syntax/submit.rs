//! `submit!`: a call and what is said of its task, as it is read and as it stands in the stub.

mod stub;
mod values;

use super::attributes::refuse_in_expr;
use super::call::distance;
use super::lower::{Lower, text_of};
use crate::diag::Code;
use crate::ir::{Expr, ExprKind, Launch, SpanId, TaskExpr, Type};
use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};

/// An option of `submit!`.
struct Known {
    name: &'static str,
    takes: &'static str,
    example: &'static str,
    /// What it is called elsewhere.
    also: &'static [&'static str],
}

const OPTIONS: &[Known] = &[
    Known {
        name: "deps",
        takes: "a list of task ids",
        example: "deps = [t]",
        also: &["dependencies", "depends", "after"],
    },
    Known {
        name: "deps_wait",
        takes: "a list of task ids",
        example: "deps_wait = [t]",
        also: &["wait"],
    },
    Known {
        name: "blocks",
        takes: "a number",
        example: "blocks = 8",
        also: &["block_num", "core_num", "grid"],
    },
    Known {
        name: "sync_start",
        takes: "`true` or `false`, written out",
        example: "sync_start = true",
        also: &["sync"],
    },
    Known {
        name: "core_type",
        takes: "`CoreType::Aiv`, `CoreType::Aic` or `CoreType::Mix`",
        example: "core_type = CoreType::Aic",
        also: &["core", "cores"],
    },
    Known {
        name: "predicate",
        takes: "one element, compared with an integer",
        example: "predicate = x.get([0]) > 0",
        also: &["condition", "when"],
    },
];

fn known(name: &Ident) -> Option<&'static Known> {
    option(&name.to_string())
}

/// Whether `submit!` has an option of that name.
pub(super) fn is_option(name: &Ident) -> bool {
    known(name).is_some()
}

/// The call without the options among its arguments, and those options.
pub(super) fn move_options(e: &syn::ExprCall) -> (String, String) {
    let (options, args): (Vec<&syn::Expr>, Vec<&syn::Expr>) = e
        .args
        .iter()
        .partition(|arg| matches!(arg, syn::Expr::Assign(_)));
    let func = &e.func;
    let option = |option: &&syn::Expr| match option {
        syn::Expr::Assign(option) => {
            let value = text_of(&option.right.to_token_stream());
            format!("{} = {value}", option.left.to_token_stream())
        }
        _ => String::new(),
    };
    let options: Vec<String> = options.iter().map(option).collect();
    (text_of(&quote!(#func(#(#args),*))), options.join(", "))
}

/// `name = value`
struct Written {
    name: Ident,
    value: TokenStream,
}

/// The call, and the options behind it. An option begins where a comma, a name and a `=` follow one
/// another, which no call has outside its parentheses: so tokens that are no Rust yet are taken
/// apart, too.
fn take_apart(tokens: TokenStream) -> (TokenStream, Vec<Written>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let punct = |at: usize, character: char| {
        matches!(trees.get(at), Some(TokenTree::Punct(p))
            if p.as_char() == character && (character != '=' || p.spacing() == Spacing::Alone))
    };
    let begins = |at: usize| match trees.get(at + 1) {
        Some(TokenTree::Ident(name)) if punct(at, ',') && punct(at + 2, '=') => {
            Some((at, name.clone()))
        }
        _ => None,
    };
    let mut starts: Vec<(usize, Ident)> = (0..trees.len()).filter_map(begins).collect();
    let mut end = trees.len();
    if punct(end.wrapping_sub(1), ',') {
        end -= 1;
    }
    let collect = |from: usize, to: usize| trees[from.min(to)..to].iter().cloned().collect();
    let mut options = Vec::new();
    while let Some((at, name)) = starts.pop() {
        options.push(Written {
            name,
            value: collect(at + 3, end),
        });
        end = at;
    }
    options.reverse();
    (collect(0, end), options)
}

/// What to write for tokens behind the call that are no option.
fn what_is_meant(separator: &TokenTree, value: &TokenStream) -> String {
    let Some(first) = value.clone().into_iter().next() else {
        return "remove it".to_owned();
    };
    let parsed = syn::parse2::<syn::Expr>(value.clone());
    let named = match &first {
        TokenTree::Ident(name) if name == "CoreType" => option("core_type"),
        TokenTree::Ident(name) => known(name),
        TokenTree::Literal(_) => option("blocks"),
        _ => None,
    };
    match (separator, named, parsed) {
        (TokenTree::Punct(p), _, _) if p.as_char() != ',' => {
            "options follow the call behind a comma: `submit!(k(x, y), deps = [t])`".to_owned()
        }
        (_, Some(known), _) => format!("write it as in `{}`", known.example),
        (_, None, Ok(syn::Expr::Array(_))) => format!(
            "if these are tasks to wait for, write `deps = {}`",
            text_of(value)
        ),
        (_, None, Ok(syn::Expr::Path(_) | syn::Expr::Index(_))) => format!(
            "if these are tasks to wait for, write `deps = [{}]`",
            text_of(value)
        ),
        _ => all_options(),
    }
}

fn option(name: &str) -> Option<&'static Known> {
    OPTIONS.iter().find(|known| known.name == name)
}

fn all_options() -> String {
    let all: Vec<&str> = OPTIONS.iter().map(|known| known.example).collect();
    format!("options are `{}`", all.join("`, `"))
}

impl Lower<'_> {
    /// `submit!(k(x, y), deps = [t])`
    pub(crate) fn submit(&mut self, mac: &syn::Macro, span: SpanId) -> Expr {
        if self.refuse_in_tasks(mac, "`submit!` submits a task") {
            return self.never(mac);
        }
        let before = self.report.count();
        let (call, options) = take_apart(mac.tokens.clone());
        let call = self.submitted_call(mac, call);
        let launch = self.options(options);
        let Some(mut call) = call.filter(|_| self.report.count() == before) else {
            return self.never(mac);
        };
        if let ExprKind::Call(call) = &mut call.kind {
            call.launch = Some(Box::new(launch));
        }
        Expr {
            ty: Type::TaskId,
            span,
            ..call
        }
    }

    /// The kernel call; `None` if it is none, which was reported or is left to rustc.
    fn submitted_call(&mut self, mac: &syn::Macro, tokens: TokenStream) -> Option<Expr> {
        let parser = |input: ParseStream<'_>| {
            let call = if input.is_empty() {
                None
            } else {
                Some(input.parse::<syn::Expr>()?)
            };
            Ok((call, input.parse::<TokenStream>()?))
        };
        let Ok((call, rest)) = parser.parse2(tokens) else {
            // The stub has the same tokens.
            self.left_to_rustc = true;
            return None;
        };
        if let Some(separator) = rest.clone().into_iter().next() {
            let value = rest.into_iter().skip(1).collect::<TokenStream>();
            let help = what_is_meant(&separator, &value);
            let node = if value.is_empty() {
                separator.into()
            } else {
                value
            };
            self.report.node_error(
                &node,
                Code::UnknownOption,
                "what follows the call in `submit!` has a name",
                help,
            );
            return None;
        }
        let Some(call) = call else {
            self.report.node_error(
                mac,
                Code::ArgumentKind,
                "`submit!` submits a kernel, and there is none",
                "write the call of one: `submit!(k(x, y))`",
            );
            return None;
        };
        let before = self.report.count();
        refuse_in_expr(&call, self.report);
        let lowered = self.expr(&call);
        if self.report.count() > before {
            return None;
        }
        if matches!(&lowered.kind, ExprKind::Call(inner) if inner.launch.is_none()) {
            return Some(lowered);
        }
        if lowered.ty == Type::Never {
            // Left to rustc.
            return None;
        }
        self.report.node_error(
            &call,
            Code::ArgumentKind,
            format!(
                "`submit!` submits a kernel, and `{}` is no call of one",
                text_of(&call.to_token_stream())
            ),
            match lowered.kind {
                ExprKind::Task(TaskExpr::Barrier(_)) => {
                    "leave out `submit!`: a barrier is a task already"
                }
                ExprKind::Call(_) => "leave out one `submit!`",
                _ => "write the call of one: `submit!(k(x, y))`",
            },
        );
        None
    }

    fn options(&mut self, options: Vec<Written>) -> Launch {
        let mut launch = Launch::default();
        let mut seen: Vec<Ident> = Vec::new();
        for Written { name, value } in options {
            if seen.contains(&name) {
                self.report.at(
                    name.span(),
                    Code::UnknownOption,
                    format!("option `{name}` is given twice"),
                    "remove one of them",
                );
                continue;
            }
            match known(&name) {
                Some(known) => self.option(known, &name, &value, &mut launch),
                None => self.unknown_option(&name),
            }
            seen.push(name);
        }
        launch
    }

    fn unknown_option(&mut self, name: &Ident) {
        let text = name.to_string();
        let nearest = OPTIONS
            .iter()
            .find(|known| known.also.contains(&text.as_str()) || distance(&text, known.name) <= 2);
        let help = match nearest {
            Some(known) => format!("did you mean `{}`?", known.example),
            None => all_options(),
        };
        self.report.at(
            name.span(),
            Code::UnknownOption,
            format!("`submit!` has no option `{name}`"),
            help,
        );
    }
}
