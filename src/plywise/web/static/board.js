// A board: one DOM for mouse, touch, keyboard and screen reader, drawn from a game's picture.

import { s, h } from "./dom.js";
import { candidates, completed, nextCells } from "./gestures.js";
import { difference } from "./difference.js";
import { drawPiece, pieceWords } from "./pieces.js";

const SPEED = 180; // milliseconds of a move
const SLACK = 5; // pixels before a press is a drag
const EDGE = 4; // pixels that a choice keeps from the edge of the window
const SMALLEST = 6.5; // pixels of letters that can be read

export class Board {
  // handlers: move(text), premove(cells or null), drawn(shapes)
  constructor(game, handlers = {}, options = {}) {
    this.game = game;
    this.picture = game.picture;
    this.names = game.players > 2 ? Array.from({ length: game.players }, (_, seat) => `player ${seat + 1}`) : game.sides;
    this.handlers = handlers;
    this.seat = options.seat ?? null; // who sits at the bottom, null: as the picture is
    this.isStatic = options.isStatic ?? false;
    this.codes = this.picture.cells.map(() => 0);
    this.moves = [];
    this.touched = [];
    this.marked = [];
    this.shapes = [];
    this.premoving = null; // the seat that may premove
    this.premoved = [];
    this.focus = 0;
    this.editing = null;
    this.measure();
    this.build();
  }

  // ------------------------------------------------------------ geometry

  measure() {
    this.box = this.boxOf((point) => point);
    this.pivot = [(this.box[0] + this.box[2]) / 2, (this.box[1] + this.box[3]) / 2];
    this.turn();
    this.middles = this.picture.cells.map((cell) => mean(cell.polygon));
    this.rooms = this.picture.cells.map((cell, index) => room(cell.polygon, this.middles[index]));
    this.size = Math.max(...this.rooms) * 2;
    this.hasLabels = !this.isStatic && this.isGrid && [...this.picture.row_labels, ...this.picture.column_labels].some(Boolean);
  }

  boxOf(place) {
    const points = this.picture.cells.flatMap((cell) => cell.polygon.map(place));
    const xs = points.map((point) => point[0]), ys = points.map((point) => point[1]);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  turn() { // so that who sits at the bottom does
    const degrees = this.seat === null ? 0 : this.picture.turns[this.seat];
    this.cosine = Math.cos((degrees * Math.PI) / 180);
    this.sine = Math.sin((degrees * Math.PI) / 180);
    this.box = this.boxOf((point) => this.at(point));
  }

  at([x, y]) { // where a point of the picture is drawn
    const [middle, height] = this.pivot, right = x - middle, down = y - height;
    return [middle + right * this.cosine - down * this.sine, height + right * this.sine + down * this.cosine];
  }

  viewBox() {
    const [left, top, right, bottom] = this.box;
    const edge = 0.04 * this.size;
    return [left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge];
  }

  build() {
    const [x, y, width, height] = this.viewBox();
    this.ground = s("g", { class: "ground" });
    this.marks = s("g", { class: "marks" });
    this.pieces = s("g", { class: "pieces" });
    this.cells = s("g", this.isStatic ? {} : this.gridRole());
    this.arrows = s("g", { class: "arrows" });
    this.above = s("g", { class: "above" });
    this.svg = s("svg", { viewBox: `${x} ${y} ${width} ${height}`, class: this.isStatic ? "board static" : "board" },
      this.ground, this.marks, this.pieces, this.arrows, this.above, this.cells);
    if (this.isStatic) this.svg.setAttribute("aria-hidden", "true");
    this.element = h("div", { class: "board-holder" }, this.svg);
    this.drawGround();
    if (!this.isStatic) {
      this.makeCells();
      this.listen();
      new ResizeObserver(() => this.hideSmallNames()).observe(this.element);
    }
    this.draw();
  }

  get ratio() {
    const [, , width, height] = this.viewBox();
    return width / height;
  }

  get isGrid() {
    return this.picture.columns > 0;
  }

  gridRole() {
    const role = this.isGrid ? "grid" : "group";
    return { class: "cells", role, "aria-label": `Board of ${this.game.name}` };
  }

  drawGround() {
    this.ground.replaceChildren();
    const [left, top, right, bottom] = this.box;
    if (this.isGrid) this.ground.append(s("rect", { class: "frame", x: left, y: top, width: right - left, height: bottom - top, rx: 0.04 }));
    this.picture.cells.forEach((cell, index) => {
      if (cell.shade === "none") return;
      this.ground.append(s("polygon", { points: this.points(index), fill: cell.fill, class: `cell ${cell.shade}` }));
      if (!this.isStatic && cell.name && !this.isToldByLabels(index)) this.ground.append(this.smallName(index));
    });
    if (this.hasLabels) this.drawLabels();
  }

  points(index) {
    return this.picture.cells[index].polygon.map((point) => this.at(point).join(",")).join(" ");
  }

  isToldByLabels(index) {
    const { columns, row_labels: rows, column_labels: files } = this.picture;
    if (!columns) return false;
    const name = this.picture.cells[index].name;
    const row = Math.floor(index / columns), column = index % columns;
    return name === (files[column] ?? "") + (rows[row] ?? "");
  }

  smallName(index) {
    const [x, y] = this.at(this.middles[index]), space = this.rooms[index];
    const isSquare = this.isGrid || this.picture.has_counts;
    return s("text", { class: "cell-name", x: isSquare ? x - 0.9 * space : x, y: isSquare ? y - 0.62 * space : y - 0.6 * space, "font-size": (isSquare ? 0.34 : 0.26) * space, "text-anchor": isSquare ? "start" : "middle" }, this.picture.cells[index].name);
  }

  drawLabels() { // of rows at the left edge, of columns at the lower one, in the corners of their cells
    const { columns, cells, row_labels: rows, column_labels: files } = this.picture;
    const letters = Math.min(0.19 * this.size, 0.03 * (this.box[2] - this.box[0]));
    const outmost = (some, along) => some.reduce((best, cell) => (along(this.at(this.middles[cell])) > along(this.at(this.middles[best])) ? cell : best));
    const label = (text, cell, across, down, anchor) => {
      const [x, y] = this.at(this.middles[cell]), space = this.rooms[cell] - 0.35 * letters;
      this.ground.append(s("text", { class: `label ${cells[cell].shade}`, x: x + across * space, y: y + down * space, "font-size": letters, "text-anchor": anchor, dy: down < 0 ? "0.74em" : "0" }, text));
    };
    rows.forEach((text, row) => label(text, outmost([row * columns, (row + 1) * columns - 1], ([x]) => -x), -1, -1, "start"));
    files.forEach((text, column) => label(text, outmost([column, cells.length - columns + column], ([, y]) => y), 1, 1, "end"));
  }

  hideSmallNames() { // letters that nobody can read are only noise; a cell tells its name where the mouse rests
    const [, , width] = this.viewBox(), name = this.ground.querySelector(".cell-name");
    const pixels = name ? Number(name.getAttribute("font-size")) * this.svg.clientWidth / width : 0;
    this.svg.classList.toggle("nameless", pixels < SMALLEST);
  }

  // ------------------------------------------------------------ state

  // position: codes, moves (legal), last (cells); options: isAnimated, canMove
  set(position, { isAnimated = true, canMove = true } = {}) {
    const before = this.codes;
    this.stopDrag();
    this.codes = position.codes;
    this.moves = canMove ? position.moves ?? [] : [];
    this.marked = position.last?.cells ?? position.cells ?? [];
    this.touched = [];
    this.closeChoice();
    const waiting = this.moves.length ? this.premoved : [];
    if (waiting.length) this.cancelPremove();
    this.draw();
    if (isAnimated && before.length === this.codes.length) this.animate(before);
    if (waiting.length) this.playCells(waiting);
  }

  flip() {
    this.seat = ((this.seat ?? 0) + 1) % this.picture.turns.length;
    this.turn();
    this.svg.setAttribute("viewBox", this.viewBox().join(" "));
    this.drawGround();
    this.picture.cells.forEach((_, index) => this.hits?.[index]?.firstChild.setAttribute("points", this.points(index)));
    this.draw();
  }

  setShapes(shapes) { // arrows and circles: {from, to, kind}
    this.suggested = shapes;
    this.drawArrows();
  }

  setWorth(worth) { // numbers on cells, and patterns: null takes them off
    this.worth = worth;
    this.draw();
  }

  draw() {
    this.drawMarks();
    this.drawPieces();
    this.drawArrows();
    if (!this.isStatic) this.label();
  }

  drawMarks() {
    this.marks.replaceChildren();
    const tint = (cell, kind) => this.marks.append(s("polygon", { points: this.points(cell), class: `mark ${kind}` }));
    for (const cell of this.marked) tint(cell, "last");
    for (const cell of this.premoved) tint(cell, "premove");
    if (this.touched.length) tint(this.touched[0], "selected");
    if (this.worth) this.drawWorth();
    if (!this.touched.length) return;
    for (const cell of nextCells(this.moves, this.touched)) {
      const [x, y] = this.at(this.middles[cell]), space = this.rooms[cell];
      this.marks.append(this.codes[cell] && !this.picture.has_counts && !this.touched.includes(cell)
        ? s("circle", { cx: x, cy: y, r: 0.88 * space, class: "target taken", "stroke-width": 0.16 * space })
        : s("circle", { cx: x, cy: y, r: 0.26 * space, class: "target" }));
    }
  }

  drawWorth() {
    const most = Math.max(0.02, ...this.worth.pieces.map((one) => Math.abs(one.amount)));
    for (const { cell, amount } of this.worth.pieces) {
      this.marks.append(s("polygon", { points: this.points(cell), class: amount > 0 ? "mark good" : "mark bad", opacity: (0.1 + 0.65 * Math.abs(amount) / most).toFixed(3) }));
    }
    for (const pattern of this.worth.patterns.slice(0, 1)) {
      for (const cell of pattern.cells) this.marks.append(s("polygon", { points: this.points(cell), class: "pattern", "stroke-width": 0.06 * this.size }));
    }
  }

  drawPieces() {
    this.pieces.replaceChildren();
    const moving = this.touched.length > 1 ? this.touched : null;
    const taken = moving ? this.taken() : [];
    this.codes.forEach((code, cell) => {
      if (!code && !(this.picture.has_counts && this.picture.pieces[0])) return;
      const shown = moving && cell === moving[0] ? moving[moving.length - 1] : cell;
      const piece = this.place(drawPiece(this.picture, code, this.rooms[cell]), shown);
      piece.dataset.cell = cell;
      if (taken.includes(cell)) piece.classList.add("ghost");
      this.pieces.append(piece);
    });
  }

  taken() { // what all moves that are left take, half-way through a chain of jumps
    const left = candidates(this.moves, this.touched);
    return left.length ? left[0].removed.filter((cell) => left.every((move) => move.removed.includes(cell))) : [];
  }

  place(element, cell) {
    const [x, y] = this.at(this.middles[cell]);
    element.setAttribute("transform", `translate(${x} ${y})`);
    return element;
  }

  // ------------------------------------------------------------ animation

  animate(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || !this.pieces.animate) return;
    const { moved, gone, placed, turned } = difference(this.picture, this.middles, before, this.codes);
    if (moved.length + gone.length + placed.length > Math.max(14, this.codes.length / 3)) return;
    const find = (cell) => this.pieces.querySelector(`[data-cell="${cell}"]`);
    for (const { start, end } of moved) {
      const [x, y] = this.at(this.middles[start]), [u, v] = this.at(this.middles[end]), element = find(end);
      if (!element) continue;
      this.pieces.append(element);
      element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${u}px, ${v}px)` }], { duration: SPEED, easing: "ease-in-out" });
    }
    for (const cell of placed) find(cell)?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: SPEED });
    for (const cell of turned) find(cell)?.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 1.4 * SPEED });
    for (const cell of gone) {
      const ghost = this.place(drawPiece(this.picture, before[cell], this.rooms[cell]), cell);
      this.pieces.prepend(ghost);
      ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 1.3 * SPEED }).onfinish = () => ghost.remove();
    }
  }

  // ------------------------------------------------------------ arrows

  drawArrows() {
    this.arrows.replaceChildren();
    for (const shape of [...(this.suggested ?? []), ...this.shapes, ...(this.drawing ? [this.drawing] : [])]) {
      if (shape.from === undefined || shape.to === undefined) continue;
      this.arrows.append(shape.from === shape.to ? this.ring(shape) : this.arrow(shape));
    }
  }

  ring({ from, kind }) {
    const [x, y] = this.at(this.middles[from]), space = this.rooms[from];
    return s("circle", { cx: x, cy: y, r: 0.9 * space, class: `shape ring ${kind}`, "stroke-width": 0.12 * space });
  }

  arrow({ from, to, kind }) {
    const [x, y] = this.at(this.middles[from]), [u, v] = this.at(this.middles[to]);
    const far = Math.hypot(u - x, v - y), wide = 0.075 * this.size, tip = Math.min(0.3 * this.size, 0.6 * far);
    const [dx, dy] = [(u - x) / far, (v - y) / far];
    const end = [u - dx * tip, v - dy * tip];
    const side = (point, amount) => `${point[0] - dy * amount} ${point[1] + dx * amount}`;
    const start = [x + dx * 0.2 * this.size, y + dy * 0.2 * this.size];
    const d = `M${side(start, wide)}L${side(end, wide)}L${side(end, 2.4 * wide)}L${u} ${v}L${side(end, -2.4 * wide)}L${side(end, -wide)}L${side(start, -wide)}z`;
    return s("path", { d, class: `shape arrow ${kind}` });
  }

  // ------------------------------------------------------------ cells that can be focused

  makeCells() {
    this.hits = this.picture.cells.map((cell, index) => {
      const role = this.isGrid ? "gridcell" : "button";
      const hit = s("g", { class: "hit", role, tabindex: "-1", "data-cell": index }, s("polygon", { points: this.points(index) }), cell.name ? s("title", {}, cell.name) : null);
      hit.addEventListener("focus", () => this.focusOn(index, false));
      return hit;
    });
    if (this.isGrid) {
      for (let first = 0; first < this.hits.length; first += this.picture.columns) {
        this.cells.append(s("g", { role: "row" }, this.hits.slice(first, first + this.picture.columns)));
      }
    } else this.cells.append(...this.hits);
    this.focus = Math.max(0, this.picture.cells.findIndex((cell) => cell.name));
  }

  label() {
    const next = nextCells(this.moves, this.touched);
    this.hits.forEach((hit, cell) => {
      const words = [this.cellName(cell), pieceWords(this.picture, this.codes[cell], this.names)];
      if (this.touched[0] === cell) words.push("selected");
      else if (next.has(cell)) words.push(this.touched.length ? "can be reached" : "can move");
      hit.setAttribute("aria-label", words.join(", "));
      hit.setAttribute("tabindex", cell === this.focus ? "0" : "-1");
      hit.classList.toggle("live", next.has(cell) || Boolean(this.editing) || this.canPremoveFrom(cell));
      if (this.isGrid) hit.setAttribute("aria-selected", String(this.touched[0] === cell));
      else hit.setAttribute("aria-pressed", String(this.touched[0] === cell));
    });
  }

  cellName(cell) {
    if (this.picture.cells[cell].name && !this.hasTwin(cell)) return this.picture.cells[cell].name;
    const { columns } = this.picture;
    return columns ? `row ${Math.floor(cell / columns) + 1} column ${(cell % columns) + 1}` : `cell ${cell + 1}`;
  }

  hasTwin(cell) {
    const name = this.picture.cells[cell].name;
    return this.picture.cells.filter((one) => one.name === name).length > 1;
  }

  takeFocus() { // to the cell that had it last
    this.focusOn(this.focus);
  }

  focusOn(cell, isMoving = true) {
    this.hits[this.focus].setAttribute("tabindex", "-1");
    this.focus = cell;
    this.hits[cell].setAttribute("tabindex", "0");
    if (isMoving) this.hits[cell].focus();
  }

  // ------------------------------------------------------------ input

  listen() {
    const svg = this.svg;
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.hover(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", () => this.stopDrag());
    svg.addEventListener("touchstart", (event) => { // a finger that holds a piece does not scroll; any other does
      if (this.drag) event.preventDefault();
    }, { passive: false });
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  cellAt(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const found = this.picture.cells.findIndex((cell) => isInside(cell.polygon.map((point) => this.at(point)), x, y));
    return found < 0 ? null : found;
  }

  press(event) {
    const cell = this.cellAt(event);
    if (cell === null) return;
    if (event.button === 2) {
      this.drawing = { from: cell, to: cell, kind: event.shiftKey ? "second" : "own" };
      this.svg.setPointerCapture(event.pointerId);
      this.drawArrows();
      return;
    }
    if (event.button !== 0) return;
    this.focusOn(cell, false);
    if (this.shapes.length && !this.editing) {
      this.shapes = [];
      this.drawArrows();
    }
    if (this.editing) {
      this.editing(cell);
      return;
    }
    const wasSelected = this.touched.length === 1 && this.touched[0] === cell;
    const isPlayed = this.touch(cell);
    if (isPlayed || this.touched[this.touched.length - 1] !== cell) return;
    this.drag = { cell, x: event.clientX, y: event.clientY, id: event.pointerId, wasSelected, isMoving: false };
    this.svg.setPointerCapture(event.pointerId);
  }

  hover(event) {
    if (this.drawing) {
      const cell = this.cellAt(event);
      if (cell !== null && cell !== this.drawing.to) {
        this.drawing.to = cell;
        this.drawArrows();
      }
      return;
    }
    if (!this.drag || event.pointerId !== this.drag.id) return;
    if (!this.drag.isMoving && Math.hypot(event.clientX - this.drag.x, event.clientY - this.drag.y) > SLACK) this.lift();
    if (!this.drag?.isMoving) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    this.drag.piece?.setAttribute("transform", `translate(${x} ${y}) scale(1.08)`);
    const over = this.cellAt(event);
    for (const hit of this.svg.querySelectorAll(".hit.over")) hit.classList.remove("over");
    if (over !== null && nextCells(this.moves, this.touched).has(over)) this.hits[over].classList.add("over");
  }

  lift() {
    this.drag.isMoving = true;
    this.drag.piece = this.pieces.querySelector(`[data-cell="${this.touched[0]}"]`);
    if (this.drag.piece) {
      this.drag.piece.classList.add("lifted");
      this.above.append(this.drag.piece);
    }
  }

  release(event) {
    const cell = this.cellAt(event);
    if (this.drawing) {
      this.toggleShape(this.drawing);
      this.drawing = null;
      this.drawArrows();
      return;
    }
    if (!this.drag || event.pointerId !== this.drag.id) return;
    const { cell: start, isMoving, wasSelected } = this.drag;
    this.stopDrag();
    if (isMoving && cell !== null && cell !== start) {
      if (this.premoving !== null && !this.moves.length) this.touch(cell);
      else if (!candidates(this.moves, [...this.touched, cell]).length) this.draw();
      else this.touch(cell, true);
    } else if (!isMoving && wasSelected) this.clear();
    else this.draw();
  }

  stopDrag() {
    this.drag = null;
    this.above.replaceChildren();
    for (const hit of this.svg.querySelectorAll(".hit.over")) hit.classList.remove("over");
  }

  toggleShape(shape) {
    const same = this.shapes.findIndex((one) => one.from === shape.from && one.to === shape.to);
    if (same >= 0) this.shapes.splice(same, 1);
    else this.shapes.push({ ...shape });
    this.handlers.drawn?.(this.shapes);
  }

  // Touch a cell: narrow the moves, and play one that is complete. Returns whether one was.
  touch(cell, isDropped = false) {
    if (!this.moves.length && this.premoving !== null) return this.touchAhead(cell);
    const cells = [...this.touched, cell];
    if (!candidates(this.moves, cells).length) {
      if (isDropped) {
        this.draw();
        return false;
      }
      this.touched = candidates(this.moves, [cell]).length && this.touched[0] !== cell ? [cell] : this.touched[0] === cell && this.touched.length === 1 ? this.touched : [];
      if (this.touched.length && this.playIfComplete()) return true;
      this.draw();
      return false;
    }
    this.touched = cells;
    if (this.playIfComplete()) return true;
    this.draw();
    return false;
  }

  playIfComplete() {
    const done = completed(this.moves, this.touched);
    if (!done.length) return false;
    if (done.length === 1) this.play(done[0].text);
    else this.choose(done);
    return true;
  }

  playCells(cells) { // a premove whose time has come
    const done = completed(this.moves, cells);
    if (done.length === 1) this.play(done[0].text);
    else if (done.length > 1) {
      this.touched = cells;
      this.choose(done);
    }
  }

  play(text) {
    this.touched = [];
    this.moves = [];
    this.draw();
    this.handlers.move?.(text);
  }

  clear() {
    this.touched = [];
    this.closeChoice();
    this.draw();
  }

  // ------------------------------------------------------------ premoves

  canPremoveFrom(cell) {
    if (this.premoving === null || this.moves.length) return false;
    return this.isPlacing || this.picture.pieces[this.codes[cell]]?.owner === this.premoving;
  }

  touchAhead(cell) {
    if (this.premoved.length) this.cancelPremove();
    else if (this.isPlacing) this.premoved = [cell];
    else if (this.touched.length && cell !== this.touched[0]) {
      this.premoved = [this.touched[0], cell];
      this.touched = [];
    } else if (this.canPremoveFrom(cell)) this.touched = [cell];
    else this.touched = [];
    this.handlers.premove?.(this.premoved.length ? this.premoved : null);
    this.draw();
    return false;
  }

  cancelPremove() {
    this.premoved = [];
    this.handlers.premove?.(null);
  }

  // ------------------------------------------------------------ a choice that no cell makes

  choose(moves) {
    this.closeChoice();
    const last = this.touched[this.touched.length - 1];
    const differ = new Set(moves.map((move) => move.arriving)).size === moves.length && moves.every((move) => move.arriving);
    const buttons = moves.map((move) => h("button", { type: "button", "aria-label": move.text, title: move.text, onclick: () => { this.focusOn(last); this.closeChoice(); this.play(move.text); } },
      differ ? s("svg", { viewBox: "-0.6 -0.6 1.2 1.2", class: "choice-piece", "aria-hidden": "true" }, drawPiece(this.picture, move.arriving, 0.5)) : move.text));
    this.choice = h("div", { class: "choice", role: "dialog", "aria-label": "Which move?" }, buttons);
    this.choice.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { this.clear(); this.focusOn(last); }
    });
    this.draw();
    const [x, y, width, height] = this.viewBox(), [u, v] = this.at(this.middles[last]);
    this.choice.style.setProperty("left", `${(100 * (u - x)) / width}%`);
    this.choice.style.setProperty("top", `${(100 * (v - y)) / height}%`);
    this.element.append(this.choice);
    this.keepInside(this.choice);
    buttons[0].focus();
  }

  keepInside(element) { // the window, where the board's edge is near
    const { left, right, top } = element.getBoundingClientRect(), width = document.documentElement.clientWidth;
    element.style.setProperty("margin-left", `${Math.max(0, EDGE - left) - Math.max(0, right + EDGE - width)}px`);
    element.style.setProperty("margin-top", `${Math.max(0, EDGE - top)}px`);
  }

  closeChoice() {
    this.choice?.remove();
    this.choice = null;
  }

  // ------------------------------------------------------------ keyboard

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in arrows) this.focusOn(this.neighbour(...arrows[event.key]));
    else if (event.key === "Enter" || event.key === " ") {
      if (this.editing) this.editing(this.focus);
      else this.touch(this.focus);
    } else if (event.key === "Escape") {
      this.cancelPremove();
      this.clear();
    } else if (event.key === "Home") this.focusOn(0);
    else if (event.key === "End") this.focusOn(this.hits.length - 1);
    else if (/^[a-z]$/i.test(event.key)) this.jump(event.key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  neighbour(dx, dy) { // the nearest cell in a direction
    const [x, y] = this.at(this.middles[this.focus]);
    let best = this.focus, least = Infinity;
    this.middles.forEach((middle, cell) => {
      const [u, v] = this.at(middle);
      const along = (u - x) * dx + (v - y) * dy, across = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (along < 0.2 * this.size || across > 1.2 * along) return;
      const far = along + 2 * across;
      if (far < least) [least, best] = [far, cell];
    });
    return best;
  }

  jump(letter) { // to the next piece one of whose words begins so
    for (let step = 1; step <= this.codes.length; step++) {
      const cell = (this.focus + step) % this.codes.length;
      if (!this.codes[cell]) continue;
      if (pieceWords(this.picture, this.codes[cell], this.names).split(" ").some((word) => word.toLowerCase().startsWith(letter))) {
        this.focusOn(cell);
        return;
      }
    }
  }
}

function mean(polygon) {
  const sum = polygon.reduce(([x, y], [u, v]) => [x + u, y + v], [0, 0]);
  return [sum[0] / polygon.length, sum[1] / polygon.length];
}

function room(polygon, [x, y]) { // from the middle to the nearest edge
  let least = Infinity;
  polygon.forEach(([a, b], at) => {
    const [c, d] = polygon[(at + 1) % polygon.length];
    const length = Math.hypot(c - a, d - b);
    if (length > 0) least = Math.min(least, Math.abs((c - a) * (b - y) - (a - x) * (d - b)) / length);
  });
  return least;
}

function isInside(polygon, x, y) {
  let isIn = false;
  for (let at = 0, before = polygon.length - 1; at < polygon.length; before = at++) {
    const [a, b] = polygon[at], [c, d] = polygon[before];
    if (b > y !== d > y && x < ((c - a) * (y - b)) / (d - b) + a) isIn = !isIn;
  }
  return isIn;
}
