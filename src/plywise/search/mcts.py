"""Monte-Carlo tree search on arrays.

A node is an index; the children of a node stand side by side. `average` and `minimax` of a
node are seen by the player who moves into it, so that a parent compares them as they are; its
`sign` turns a value for the side to move there into one for that player: -1 where the sides
alternate, 1 where the player moves again.
One simulation descends by UCT, adds at most one layer of children, plays out (to the end,
or some plies and then an evaluator: early playout termination), and backs up.

With a policy, new children are judged at once, one ply below their parent, and seen by the player
who moves into them: v_i. The descent then follows PUCT (Rosin 2011; Silver et al. 2017), with

    bound_i = average_i + exploration * prior_i * sqrt(visits) / (1 + visits_i)
    prior_i = exp(v_i / policy) / sum of all exp(v_j / policy)

and `average` is v_i before the first visit, so that no move has to be tried.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from plywise.game import is_quiet, result_of
from plywise.game.results import LOSS, ONGOING, WIN
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole
from plywise.kernel.random import below
from plywise.search.repetition import is_repeated
from plywise.search.task import sign_of

UNPROVEN = 2
LOST_MOVE = np.float32(-100.0)  # the mean of a move that is proven to lose
UNVISITED = np.float32(1000.0)  # the spread of a node before its first visit
LINE = 256  # the deepest path
PLAYOUT_PLIES = 2000  # a playout of a game without an end is cut off here
PAST = 256
LOOKED_UP = 2048  # visits of a parent for which the exploration term is looked up


class MctsOptions(NamedTuple):
    """How the tree grows and what a playout is."""

    exploration: float = 1.0
    cap: int = -1  # plies of a playout before the evaluator judges; -1: to the end
    solver: bool = True  # back up proven results
    mixing: float = 0.0  # implicit minimax: the weight of heuristic minimax values in selection
    policy: float = 0.0  # PUCT: the temperature of priors by values one ply deeper; 0: UCT


NODE = np.dtype(
    (
        np.record,
        [
            ("move", np.uint64),  # the move into the node
            ("first", np.int32),  # the first child; NOT_EXPANDED before there are any
            ("visits", np.int32),
            ("average", np.float32),  # mean value for the player who moves into the node
            ("spread", np.float32),  # 1 / sqrt(visits); with a policy, prior / (1 + visits)
            ("minimax", np.float32),  # heuristic value, seen as `average` is
            ("count", np.int16),  # how many children
            ("proven", np.int8),  # LOSS, DRAW, WIN for the side to move there, or UNPROVEN
            ("sign", np.int8),  # -1, or 1 where a side moves again
        ],
    )
)

Tree = Any  # [nodes] NODE; node 0 is the root


class MctsTask(NamedTuple):
    """All that the search works with."""

    game: Bundle
    evaluator: Bundle
    params: Any
    tree: Tree
    options: MctsOptions
    memory: Any  # a record of `memory_type`


@functools.cache
def memory_type(max_moves: int, width: int) -> np.dtype[Any]:
    """Return the type of a search's working memory: one record, so one pointer in kernels."""
    fields = [
        ("accumulator", np.float32, (2, max(1, width))),
        ("moves", np.uint64, (2, max_moves)),
        ("path", np.int64, (LINE,)),
        ("keys", np.uint64, (PAST + LINE,)),  # of the game, then of the path
        ("widening", np.float32, (LOOKED_UP,)),  # sqrt(log(visits + 1)): slow to find
        ("used", np.int64),  # nodes of the tree
        ("past", np.int64),
        ("random", np.uint64),
        ("stop", np.uint8),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def make_tree(capacity: int) -> Tree:
    """Return memory for a tree of so many nodes."""
    return np.empty(capacity, NODE)


@compiled
def make_node(tree: Tree, node: Whole, move: Any, sign: Whole) -> None:
    """Make a node that nobody has visited."""
    tree[node].first = -1
    tree[node].count = 0
    tree[node].visits = 0
    tree[node].average = 0.0
    tree[node].spread = UNVISITED
    tree[node].minimax = 0.0
    tree[node].proven = UNPROVEN
    tree[node].move = move
    tree[node].sign = sign


@compiled
def worth_of(node: Any) -> Whole:
    """Return the proven result of a node for the player who moves into it."""
    return np.int64(node.sign) * np.int64(node.proven)


# ---------------------------------------------------------------- the phases of a simulation


@compiled
def widening_of(task: MctsTask, visits: Whole) -> Any:
    """Return how exploration grows with the visits of a parent: by UCT, or by PUCT."""
    if task.options.policy > 0:
        return np.float32(math.sqrt(visits))
    if visits < LOOKED_UP:
        return task.memory.widening[visits]
    return np.float32(math.sqrt(math.log(visits + 1)))


@compiled
def select(task: MctsTask, node: Whole) -> Whole:
    """Return the child with the highest upper confidence bound."""
    tree, options = task.tree, task.options
    explore = np.float32(options.exploration) * widening_of(task, tree[node].visits)
    begin = tree[node].first
    best = begin
    best_bound = np.float32(-1e9)
    if options.mixing > 0:
        weight = np.float32(options.mixing)
        for child in range(begin, begin + tree[node].count):
            mean = tree[child].average
            if mean > LOST_MOVE:
                mean = (np.float32(1) - weight) * mean + weight * tree[child].minimax
            bound = mean + explore * tree[child].spread
            if bound > best_bound:
                best, best_bound = child, bound
        return best
    for child in range(begin, begin + tree[node].count):
        bound = tree[child].average + explore * tree[child].spread
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@compiled
def expand(task: MctsTask, node: Whole, position: Position) -> bool:
    """Add the children of a node; return whether there was room."""
    game, tree, memory = task.game, task.tree, task.memory
    out = borrow(memory.moves, 0)
    count = game.moves(position, out)
    begin = memory.used
    if begin + count > len(tree):
        return False
    for index in range(count):
        sign = np.int64(-1)
        if not game.alternates:
            sign = sign_of(game, position, game.apply(position, out[index]))
        make_node(tree, begin + index, out[index], sign)
    if task.options.mixing > 0:
        best = np.float32(-1.0)
        for index in range(count):
            after = game.apply(position, out[index])
            value = np.float32(tree[begin + index].sign * static_value(task, after))
            tree[begin + index].minimax = value
            best = max(best, value)
        tree[node].minimax = tree[node].sign * best
    if task.options.policy > 0:
        judge_children(task, position, begin, count)
        set_priors(tree, task.options.policy, begin, count)
    tree[node].first = begin
    tree[node].count = count
    memory.used += count
    return True


@compiled
def judge_children(task: MctsTask, position: Position, begin: Whole, count: Whole) -> None:
    """Give the new children of a position what each is worth without search as its average."""
    game, tree = task.game, task.tree
    task.evaluator.refresh(task.params, task.memory.accumulator, 0, position)
    for child in range(begin, begin + count):
        after = game.apply(position, tree[child].move)
        result = result_of(game, after, borrow(task.memory.moves, 1))
        if result != ONGOING:
            tree[child].average = tree[child].sign * result
            settle(tree, child, result)
        else:
            value = value_after(task, position, tree[child].move, after)
            tree[child].average = tree[child].sign * value


@compiled
def value_after(task: MctsTask, before: Position, move: Any, after: Position) -> float:
    """Return the evaluator's judgement after a move; row 0 of the accumulator is before it."""
    params, accumulator = task.params, task.memory.accumulator
    if task.evaluator.has_update:
        task.evaluator.update(params, accumulator, 0, before, move, after)
    else:
        task.evaluator.refresh(params, accumulator, 1, after)
    return float(task.evaluator.value(params, accumulator, 1, after))


@compiled
def set_priors(tree: Tree, temperature: float, begin: Whole, count: Whole) -> None:
    """Turn the averages of new children into their priors, which add up to 1.

    A move that loses at once has none, unless all do.
    """
    best = LOST_MOVE
    for child in range(begin, begin + count):
        best = max(best, tree[child].average)
    total = 0.0
    for child in range(begin, begin + count):
        share = math.exp((tree[child].average - best) / temperature)
        tree[child].spread = share
        total += share
    for child in range(begin, begin + count):
        tree[child].spread /= np.float32(total)


@compiled
def static_value(task: MctsTask, position: Position) -> float:
    """Return the value of a position without search: its result, or the evaluator's judgement."""
    result = result_of(task.game, position, borrow(task.memory.moves, 1))
    if result != ONGOING:
        return float(result)
    task.evaluator.refresh(task.params, task.memory.accumulator, 0, position)
    return float(task.evaluator.value(task.params, task.memory.accumulator, 0, position))


@compiled
def playout(task: MctsTask, position: Position) -> float:
    """Return what random moves lead to, for the side to move at the given position."""
    game = task.game
    out = borrow(task.memory.moves, 1)
    cap = task.options.cap
    sign = 1.0
    for ply in range(PLAYOUT_PLIES):
        result = game.result(position)
        if result != ONGOING:
            return float(sign * result)
        if cap >= 0 and ply >= cap and is_quiet(game, position, out):
            break
        count = game.moves(position, out)
        if game.has_stuck and count == 0:
            return float(sign * game.stuck(position))
        after = game.apply(position, out[below(task.memory, count)])
        sign *= sign_of(game, position, after)
        position = after
    if cap < 0:
        return 0.0
    return sign * static_value(task, position)


@compiled
def backup(tree: Tree, options: MctsOptions, path: Any, depth: Whole, value: float) -> None:
    """Add a value, as seen by the side to move at the path's end, to all nodes of the path."""
    seen = np.float32(value)
    for level in range(depth, -1, -1):
        node = path[level]
        seen *= np.float32(tree[node].sign)
        tree[node].visits += 1
        visits = np.float32(tree[node].visits)
        if options.policy > 0:
            tree[node].spread *= visits / (visits + np.float32(1))
        else:
            tree[node].spread = np.float32(1) / np.sqrt(visits)
        if tree[node].average > LOST_MOVE:
            tree[node].average += (seen - tree[node].average) / visits
        if options.mixing > 0 and tree[node].first >= 0:
            best = np.float32(-1.0)
            for child in range(tree[node].first, tree[node].first + tree[node].count):
                best = max(best, tree[child].minimax)
            tree[node].minimax = tree[node].sign * best


@compiled
def settle(tree: Tree, node: Whole, result: Whole) -> None:
    """Set the proven result of one node."""
    tree[node].proven = result
    if worth_of(tree[node]) == LOSS:
        tree[node].average = LOST_MOVE


@compiled
def prove(tree: Tree, options: MctsOptions, path: Any, depth: Whole, result: Whole) -> None:
    """Set the proven result of the path's end, and with the solver of all that follows from it."""
    for level in range(depth, -1, -1):
        node = path[level]
        settle(tree, node, result)
        worth = worth_of(tree[node])
        if not options.solver or level == 0:
            return
        parent = path[level - 1]
        if worth == WIN:
            result = np.int64(WIN)
            continue
        result = np.int64(LOSS)
        for child in range(tree[parent].first, tree[parent].first + tree[parent].count):
            if tree[child].proven == UNPROVEN:
                return
            result = max(result, worth_of(tree[child]))


@compiled
def is_drawn(task: MctsTask, depth: Whole, position: Position) -> bool:
    """Note a position of the path; return whether it is a draw by repetition."""
    game, memory = task.game, task.memory
    memory.keys[memory.past + depth] = game.hash(position)
    return is_repeated(game, memory.keys, memory.past, depth, game.clock(position))


@compiled
def is_judged(task: MctsTask, node: Whole, position: Position) -> bool:
    """Return whether a playout would only find what a new node was judged to be worth."""
    options = task.options
    return bool(
        options.policy > 0
        and options.cap == 0
        and task.tree[node].visits == 0
        and node > 0
        and is_quiet(task.game, position, borrow(task.memory.moves, 1))
    )


@compiled
def simulate_once(task: MctsTask, root: Position) -> None:
    game, tree, path, options = task.game, task.tree, task.memory.path, task.options
    node = np.int64(0)
    depth = np.int64(0)
    path[0] = 0
    position = root
    while tree[node].proven == UNPROVEN and depth < LINE - 1:
        if tree[node].first < 0 and (
            (tree[node].visits == 0 and depth > 0) or not expand(task, node, position)
        ):
            break
        node = np.int64(select(task, node))
        position = game.apply(position, tree[node].move)
        depth += 1
        path[depth] = node
        if game.repetitions > 0 and is_drawn(task, depth, position):
            backup(tree, options, path, depth, 0.0)
            return
        if tree[node].visits == 0:
            result = result_of(game, position, borrow(task.memory.moves, 1))
            if result != ONGOING:
                prove(tree, options, path, depth, result)
    if tree[node].proven != UNPROVEN:
        value = float(tree[node].proven)
    elif is_judged(task, node, position):
        value = float(tree[node].sign * tree[node].average)
    else:
        value = playout(task, position)
    backup(tree, options, path, depth, value)


@compiled
def simulate(task: MctsTask, row: Any, simulations: Whole) -> Whole:
    """Run simulations until they are done, the stop flag is set or the root is proven."""
    root = task.game.load(row)
    for done in range(simulations):
        if task.memory.stop or task.tree[0].proven != UNPROVEN:
            return done
        simulate_once(task, root)
    return simulations


@compiled
def expand_root(task: MctsTask, row: Any) -> None:
    """Give the root its children, for a search that was stopped before it began."""
    expand(task, 0, task.game.load(row))


# ---------------------------------------------------------------- between moves


@compiled
def keep_subtree(tree: Tree, memory: Any, root: Whole) -> None:
    """Make the tree below a node the whole tree, in place.

    Children come after their parent and siblings side by side; pushing all kept nodes
    to the front in their old order keeps both true.
    """
    place = np.full(memory.used, -1, np.int64)
    place[root] = 0
    kept = 0
    for node in range(root, memory.used):
        if place[node] < 0:
            continue
        place[node] = kept
        kept += 1
        for child in range(tree[node].first, tree[node].first + tree[node].count):
            place[child] = 0
    for node in range(root, memory.used):
        if place[node] >= 0:
            if tree[node].first >= 0:
                tree[node].first = place[tree[node].first]
            tree[place[node]] = tree[node]
    memory.used = kept


@compiled
def best_child(tree: Tree, node: Whole) -> Whole:
    """Return the child to play: a proven win, else the most visited that does not lose."""
    begin = tree[node].first
    best = begin
    best_merit = -1.0
    for child in range(begin, begin + tree[node].count):
        merit = float(tree[child].visits)
        if tree[child].proven != UNPROVEN:
            if worth_of(tree[child]) == WIN:
                merit = 1e12
            elif worth_of(tree[child]) == LOSS:
                merit = merit * 1e-9
        if merit > best_merit:
            best, best_merit = child, merit
    return best
