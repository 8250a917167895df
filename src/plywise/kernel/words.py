"""64-bit words and rows of arrays in compiled code, and the same interpreted."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from plywise.kernel.bundle import INTERPRETED

if INTERPRETED:

    def popcount(word: Any) -> int:
        """Return the number of set bits."""
        return int(word).bit_count()

    def lowest(word: Any) -> int:
        """Return the index of the lowest set bit (64 if there is none)."""
        bits = int(word)
        return (bits & -bits).bit_length() - 1 if bits else 64

    def borrow(rows: Any, index: Any) -> Any:
        """Return rows[index]."""
        return rows[index]

    def head(row: Any, count: Any) -> Any:
        """Return row[:count]."""
        return row[:count]

    def part(row: Any, first: Any, count: Any) -> Any:
        """Return row[first : first + count]."""
        return row[first : first + count]

else:

    @intrinsic
    def popcount(typingctx: Any, word: Any) -> Any:
        """Return the number of set bits."""

        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), lower

    @intrinsic
    def lowest(typingctx: Any, word: Any) -> Any:
        """Return the index of the lowest set bit (64 if there is none)."""

        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), lower

    @intrinsic
    def borrow(typingctx: Any, rows: Any, index: Any) -> Any:
        """Return rows[index] of a 2-D array as a view that counts no reference.

        Taking a slice costs two atomic operations; this costs one addition. The view
        must not outlive `rows`.
        """
        row_type = types.Array(rows.dtype, 1, "C")

        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            rows_type, _ = signature.args
            whole = context.make_array(rows_type)(context, builder, args[0])
            zero = context.get_constant(types.intp, 0)
            pointer = cgutils.get_item_pointer(
                context, builder, rows_type, whole, [args[1], zero], wraparound=False
            )
            shape = cgutils.unpack_tuple(builder, whole.shape, 2)
            strides = cgutils.unpack_tuple(builder, whole.strides, 2)
            row = context.make_array(row_type)(context, builder)
            context.populate_array(
                row,
                data=pointer,
                shape=[shape[1]],
                strides=[strides[1]],
                itemsize=whole.itemsize,
                meminfo=None,
            )
            return row._getvalue()

        return row_type(rows, types.intp), lower

    @intrinsic
    def head(typingctx: Any, row: Any, count: Any) -> Any:
        """Return row[:count] of a 1-D array as a view that counts no reference."""
        row_type = types.Array(row.dtype, 1, "C")

        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            whole = context.make_array(signature.args[0])(context, builder, args[0])
            part = context.make_array(row_type)(context, builder)
            context.populate_array(
                part,
                data=whole.data,
                shape=[args[1]],
                strides=cgutils.unpack_tuple(builder, whole.strides, 1),
                itemsize=whole.itemsize,
                meminfo=None,
            )
            return part._getvalue()

        return row_type(row, types.intp), lower

    @intrinsic
    def part(typingctx: Any, row: Any, first: Any, count: Any) -> Any:
        """Return row[first : first + count] of a 1-D array as a view that counts no reference.

        A loop over it becomes vector code; the compiler cannot tell that row[first + index] does
        not count from the end.
        """
        row_type = types.Array(row.dtype, 1, "C")

        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            whole = context.make_array(signature.args[0])(context, builder, args[0])
            inside = context.make_array(row_type)(context, builder)
            context.populate_array(
                inside,
                data=builder.gep(whole.data, [args[1]]),
                shape=[args[2]],
                strides=cgutils.unpack_tuple(builder, whole.strides, 1),
                itemsize=whole.itemsize,
                meminfo=None,
            )
            return inside._getvalue()

        return row_type(row, types.intp, types.intp), lower
