// Small charts in SVG: a curve over steps, and the value of a game over its plies.

import { h, s } from "./dom.js";

const WIDTH = 400, HEIGHT = 150, EDGE = { left: 44, right: 8, top: 10, bottom: 24 };

function ticks(low, high) {
  const step = 10 ** Math.floor(Math.log10((high - low) / 3 || 1));
  const nice = [1, 2, 5, 10].map((one) => one * step).find((one) => (high - low) / one <= 4) ?? step;
  const digits = Math.max(0, -Math.floor(Math.log10(nice)));
  const found = [];
  for (let at = Math.ceil(low / nice) * nice; at <= high + nice / 1e6; at += nice) found.push([at, digits > 4 || Math.abs(at) >= 1e5 ? short(at) : at.toFixed(digits)]);
  return found;
}

export const short = (number) => Math.abs(number) >= 1e5 || (number && Math.abs(number) < 1e-3) ? number.toExponential(1) : String(Number(number.toPrecision(3)));

// points: [[step, value], ...]
export function curve(name, points) {
  const xs = points.map((point) => point[0]), ys = points.map((point) => point[1]);
  let [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const x = (value) => EDGE.left + ((value - first) / (last - first || 1)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value) => HEIGHT - EDGE.bottom - ((value - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const label = name.replaceAll("_", " ");
  const drawing = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${label}: ${points.length} steps, last ${short(ys.at(-1))}` },
    ticks(low, high).map(([value, text]) => [s("line", { class: "grid-line", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value) }), s("text", { class: "axis", x: EDGE.left - 5, y: y(value) + 3, "text-anchor": "end" }, text)]),
    s("text", { class: "axis", x: EDGE.left, y: HEIGHT - 5 }, String(first)), s("text", { class: "axis", x: WIDTH - EDGE.right, y: HEIGHT - 5, "text-anchor": "end" }, String(last)),
    points.length === 1 ? s("circle", { class: "curve", cx: x(first), cy: y(ys[0]), r: 2 }) : s("polyline", { class: "curve", points: points.map(([u, v]) => `${x(u).toFixed(1)},${y(v).toFixed(1)}`).join(" ") }));
  const reading = h("strong", {}, short(ys.at(-1)));
  const here = s("line", { class: "here", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
  drawing.addEventListener("pointermove", (event) => {
    const { left, width } = drawing.getBoundingClientRect();
    const wanted = ((event.clientX - left) / width) * WIDTH;
    const [step, value] = points.reduce((best, one) => (Math.abs(x(one[0]) - wanted) < Math.abs(x(best[0]) - wanted) ? one : best));
    here.setAttribute("x1", x(step));
    here.setAttribute("x2", x(step));
    drawing.append(here);
    reading.textContent = `step ${step}: ${short(value)}`;
  });
  drawing.addEventListener("pointerleave", () => {
    here.remove();
    reading.textContent = short(ys.at(-1));
  });
  return h("figure", { class: "chart" }, h("figcaption", {}, h("span", {}, label), reading), drawing);
}

// values: for every ply the value for side 0 in [-1, 1] or null; faults: {ply: kind}
export class ValueGraph {
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.count = 1;
    this.element = s("svg", { class: "graph", viewBox: "0 0 1000 200", preserveAspectRatio: "none", role: "img", "aria-label": "Value over the game" });
    this.element.addEventListener("click", (event) => {
      const { left, width } = this.element.getBoundingClientRect();
      this.onSelect(Math.round(((event.clientX - left) / width) * Math.max(1, this.count - 1)));
    });
  }

  set(values, ply, faults = {}) {
    this.count = values.length;
    const x = (at) => (1000 * at) / Math.max(1, values.length - 1), y = (value) => 100 - 94 * value;
    const known = values.map((value, at) => [at, value]).filter(([, value]) => value !== null && value !== undefined);
    const line = known.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const parts = [s("line", { class: "zero", x1: 0, x2: 1000, y1: 100, y2: 100 })];
    if (known.length > 1) parts.push(s("polygon", { class: "area", points: `${x(known[0][0])},200 ${line} ${x(known.at(-1)[0])},200` }), s("polyline", { class: "line", points: line }));
    for (const [at, kind] of Object.entries(faults)) {
      if (values[at] !== null && values[at] !== undefined) parts.push(s("ellipse", { class: `fault ${kind}`, cx: x(Number(at)), cy: y(values[at]), rx: 7, ry: 9 }));
    }
    parts.push(s("line", { class: "here", x1: x(ply), x2: x(ply), y1: 0, y2: 200 }));
    this.element.replaceChildren(...parts);
  }
}
