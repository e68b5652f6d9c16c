# SPDX-License-Identifier: Apache-2.0
"""int8 in and out: the application quantises, at the scales that the header gives."""

from __future__ import annotations

from petite.ir.graph import Graph, Quantization, Value
from petite.ir.ops import Dequantize, Quantize


def int8_io(graph: Graph) -> None:
    """Take the float conversions at the method's edges away.

    A float input whose only readers quantise it alike becomes their int8 result; an output that is
    only dequantised becomes the int8 value before. Other inputs and outputs stay as they are.
    """
    for position, value in enumerate(graph.inputs):
        graph.inputs[position] = _quantized_input(graph, value)
    for position, value in enumerate(graph.outputs):
        producer = graph.producer(value)
        if isinstance(producer, Dequantize):
            graph.outputs[position] = producer.input
            producer.input.quantization = Quantization(producer.scale, producer.zero_point)


def _quantized_input(graph: Graph, value: Value) -> Value:
    readers = graph.consumers(value)
    quantizers = [op for op in readers if isinstance(op, Quantize)]
    parameters = {(q.scale, q.zero_point, q.low, q.high, q.output.dtype) for q in quantizers}
    if len(quantizers) != len(readers) or len(parameters) != 1 or graph.is_result(value):
        return value
    first = quantizers[0]
    replacement = Value(
        value.name,
        first.output.dtype,
        value.shape,
        layout=value.layout,
        quantization=Quantization(first.scale, first.zero_point),
    )
    for quantizer in quantizers:
        graph.ops.remove(quantizer)
        graph.replace(quantizer.output, replacement)
    return replacement
