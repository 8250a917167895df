// Input as a filter over the legal moves: every cell that is touched narrows them. It knows no rule.
// A move has paths, a path has steps, and a step is a list of cells any of which will do.

function isPrefix(path, cells) {
  return cells.length <= path.length && cells.every((cell, at) => path[at].includes(cell));
}

function leadsTo(path, cells) { // by its steps so far, then perhaps straight to its end
  if (isPrefix(path, cells)) return true;
  const last = cells[cells.length - 1];
  return cells.length > 1 && cells.length < path.length && path[path.length - 1].includes(last) && isPrefix(path, cells.slice(0, -1));
}

function ends(path, cells) {
  return leadsTo(path, cells) && path[path.length - 1].includes(cells[cells.length - 1]) && (cells.length > 1 || path.length === 1);
}

// The moves that the touched cells leave.
export function candidates(moves, cells) {
  return moves.filter((move) => move.paths.some((path) => leadsTo(path, cells)));
}

// The moves that the touched cells complete. Where a cell is a stop on the way of some moves, it is that.
export function completed(moves, cells) {
  const onTheWay = moves.some((move) => move.paths.some((path) => isPrefix(path, cells) && path.length > cells.length));
  return moves.filter((move) => move.paths.some((path) => ends(path, cells) && (!onTheWay || path.length === cells.length)));
}

// The cells that may be touched next.
export function nextCells(moves, cells) {
  const found = new Set();
  for (const move of moves) {
    for (const path of move.paths) {
      if (!cells.length) for (const cell of path[0]) found.add(cell);
      else if (isPrefix(path, cells) && path.length > cells.length) {
        for (const cell of path[cells.length]) found.add(cell);
        for (const cell of path[path.length - 1]) found.add(cell);
      }
    }
  }
  return found;
}
