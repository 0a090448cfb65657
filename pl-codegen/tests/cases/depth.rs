//! Shown: AutoScopes
//! No more than 64 scopes are open at once, the root included. More of this is in `depth.rs` of the tests.

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + 1.0);
}

mod sixty_four_scopes_beside_the_root {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({
        scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ scope!({ //~ PL0007 65 deep
        bump(y);
        }); }); }); }); }); }); }); });
        }); }); }); }); }); }); }); });
        }); }); }); }); }); }); }); });
        }); }); }); }); }); }); }); });
        }); }); }); }); }); }); }); });
        }); }); }); }); }); }); }); });
        }); }); }); }); }); }); }); });
        }); }); }); }); }); }); }); });
    }
}
