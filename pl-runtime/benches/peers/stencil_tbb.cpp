// The stencil as a flow graph of oneTBB: one node for each task, edges drawn by hand. With REUSE
// the graph is built once and only run again; else each run builds it, as the other sides do.
#include "stencil.h"
#include <memory>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <vector>

namespace flow = tbb::flow;
using Node = flow::continue_node<flow::continue_msg>;

struct Graph {
    flow::graph graph;
    std::vector<std::unique_ptr<Node>> nodes;

    explicit Graph(int steps, const long *length) {
        nodes.reserve(static_cast<size_t>(steps) * WIDTH);
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < WIDTH; i++) {
                const double *from = cells[step % 2];
                double *to = cells[(step + 1) % 2];
                nodes.push_back(std::make_unique<Node>(graph, [=](const flow::continue_msg &) {
                    cell(from, to, i, *length);
                    return flow::continue_msg();
                }));
                // Three producers of the step before; they order the rewrite of a row as well.
                for (int side = -1; step > 0 && side <= 1; side++) {
                    Node &producer = *nodes[(step - 1) * WIDTH + (i + WIDTH + side) % WIDTH];
                    flow::make_edge(producer, *nodes.back());
                }
            }
        }
    }

    void run() {
        for (int i = 0; i < WIDTH; i++) {
            nodes[i]->try_put(flow::continue_msg());
        }
        graph.wait_for_all();
    }
};

static std::unique_ptr<tbb::global_control> control;
static std::unique_ptr<tbb::task_arena> arena;
static std::unique_ptr<Graph> kept;
static long current;

static void begin(int steps, int threads) {
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    threads);
    arena = std::make_unique<tbb::task_arena>(threads);
#ifdef REUSE
    arena->execute([&] { kept = std::make_unique<Graph>(steps, &current); });
#else
    (void)steps;
#endif
}

static void run(int steps, int threads, long length) {
    (void)threads;
    current = length;
    arena->execute([&] {
#ifdef REUSE
        (void)steps;
        kept->run();
#else
        Graph(steps, &current).run();
#endif
    });
}

int main(int count, char **arguments) { return measure(count, arguments, begin, run); }
