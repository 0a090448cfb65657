"""The peers of `cargo bench --bench peers`: computes a case again and again, and says how long it took.

Reads a line of JSON for each command from stdin, answers with one on stdout:
  {"case": .., "peer": "torch" | "onnxruntime", "threads": n, "dtype": .., "inputs": [[file, shape], ..],
   "output": file, ..}     prepares the case -> {"name": peer and version}, or {"missing": reason}
  {"run": 1}               computes it once  -> {"seconds": s}
  {"save": 1}              writes the output, as f32 -> {"peak": bytes of memory at most so far}
"""

import json
import resource
import sys
import time

import numpy as np


def array(entry):
    file, shape = entry
    return np.fromfile(file, dtype=np.float32).reshape(shape)


def torch_case(request):
    import torch

    torch.set_num_threads(request["threads"])
    torch.set_grad_enabled(False)
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}[request["dtype"]]
    # Copies, in memory of torch as a user has them: numpy asks for huge pages.
    inputs = [torch.from_numpy(array(entry)).clone().to(dtype) for entry in request["inputs"]]
    case = request["case"]
    if case == "attention":
        q, k, v = (x.unsqueeze(0) for x in inputs)
        causal = request["causal"]

        def run():
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    elif case == "softmax":

        def run():
            return torch.softmax(inputs[0], dim=-1)

    elif case == "rms_norm":

        def run():
            return torch.nn.functional.rms_norm(inputs[0], (inputs[0].shape[-1],), eps=1e-5)

    else:
        return {"missing": f"torch has no case {case}"}, None
    result = [None]

    def once():
        result[0] = run()

    return {"name": f"torch {torch.__version__}"}, (once, lambda: result[0].float().numpy())


def onnxruntime_case(request):
    import onnxruntime

    try:
        from onnx import TensorProto, helper
    except ImportError:
        return {"missing": "onnxruntime needs the package `onnx`"}, None
    if request["case"] != "attention" or request["dtype"] != "f32":
        return {"missing": f"onnxruntime has no case {request['case']} {request['dtype']}"}, None
    q, k, v = (array(entry) for entry in request["inputs"])
    heads, length, size = q.shape
    # MultiHeadAttention takes [batch, length, heads * size].
    flat = [x.transpose(1, 0, 2).reshape(1, -1, heads * size).copy() for x in (q, k, v)]
    names = ["query", "key", "value"]
    shapes = [x.shape for x in flat]
    node = helper.make_node(
        "MultiHeadAttention", names, ["out"], domain="com.microsoft",
        num_heads=heads, unidirectional=int(request["causal"]),
    )
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node], "attention",
        [value(n, TensorProto.FLOAT, s) for n, s in zip(names, shapes)],
        [value("out", TensorProto.FLOAT, shapes[0])],
    )
    model = helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = request["threads"]
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feed = dict(zip(names, flat))
    result = [None]

    def once():
        result[0] = session.run(None, feed)[0]

    def output():
        return result[0].reshape(length, heads, size).transpose(1, 0, 2)

    return {"name": f"onnxruntime {onnxruntime.__version__}"}, (once, output)


CASES = {"torch": torch_case, "onnxruntime": onnxruntime_case}


def main():
    run = output = file = None
    for line in sys.stdin:
        request = json.loads(line)
        if "case" in request:
            file = request["output"]
            try:
                answer, functions = CASES[request["peer"]](request)
            except ImportError as error:
                answer, functions = {"missing": str(error)}, None
            run, output = functions or (None, None)
        elif "run" in request:
            start = time.perf_counter()
            run()
            answer = {"seconds": time.perf_counter() - start}
        else:
            np.ascontiguousarray(output(), dtype=np.float32).tofile(file)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            answer = {"peak": peak}
        print(json.dumps(answer), flush=True)


main()
