// What moved between two lists of codes: each new piece comes from the nearest vanished equal one,
// else from the nearest one of the same owner. It knows no game.

export function difference(picture, middles, before, after) {
  const entered = [], left = [];
  for (let cell = 0; cell < after.length; cell++) {
    if (before[cell] === after[cell]) continue;
    if (before[cell]) left.push(cell);
    if (after[cell]) entered.push(cell);
  }
  if (picture.has_counts) return { moved: [], gone: [], placed: [], turned: entered };
  const origins = new Map(), used = new Set();
  const owner = (code) => picture.pieces[code]?.owner ?? (code < 0 ? 1 : 0);
  const same = (start, end) => before[start] === after[end];
  const promoted = (start, end) => owner(before[start]) === owner(after[end]);
  for (const fits of [same, promoted]) {
    for (const ends of [entered.filter((cell) => !before[cell]), entered.filter((cell) => before[cell])]) {
      const pairs = [];
      for (const start of left) for (const end of ends) if (start !== end && fits(start, end)) pairs.push([far(start, end), start, end]);
      pairs.sort((one, other) => one[0] - other[0]);
      for (const [, start, end] of pairs) {
        if (origins.has(end) || used.has(start)) continue;
        origins.set(end, start);
        used.add(start);
      }
    }
  }
  const moved = [...origins].map(([end, start]) => ({ start, end }));
  const turned = entered.filter((cell) => before[cell] && !origins.has(cell));
  const placed = entered.filter((cell) => !before[cell] && !origins.has(cell));
  const gone = left.filter((cell) => !used.has(cell) && !turned.includes(cell));
  return { moved, gone, placed, turned };

  function far(one, other) {
    const [x, y] = middles[one], [u, v] = middles[other];
    return (x - u) ** 2 + (y - v) ** 2;
  }
}
