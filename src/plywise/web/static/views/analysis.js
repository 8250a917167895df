// Analysis: what a player thinks of any position, a tree of variations, whole games judged,
// records in and out, and positions set up by hand.

import { announce, button, complain, copy, field, h, icon, iconButton, put, s, select } from "../dom.js";
import { gameInfo, gameList, post } from "../api.js";
import { Board } from "../board.js";
import { ValueGraph } from "../chart.js";
import { drawPiece, pieceWords } from "../pieces.js";
import { onKeys } from "../movelist.js";
import { playerGroups } from "../seats.js";
import { search } from "../socket.js";
import { Node, TreeView } from "../tree.js";
import { go } from "../app.js";

const SECONDS = 15; // of a search before it rests
const REVIEW = 0.25; // for each position of a whole game
const FAULTS = [[0.3, "blunder", "??"], [0.15, "mistake", "?"], [0.07, "slip", "?!"]]; // lost expected score

export async function show(holder, parts, query) {
  const games = await gameList();
  const name = query.get("game") ?? localStorage.getItem("game") ?? "draughts";
  const game = await gameInfo(games.some((one) => one.name === name) ? name : games[0].name);
  const groups = (await playerGroups(game, { hasPeople: false }));
  let start = query.get("start") ?? "start";
  let root = new Node();
  let current = root.add((query.get("moves") ?? "").split(/\s+/).filter(Boolean));
  let stop = null;
  let stopReview = null;
  let values = []; // of the main line, for side 0
  let marks = new Map();
  let isOn = localStorage.getItem("engine") !== "off";
  let isGone = false;
  let shownValue = null;

  const board = game.picture ? new Board(game, { move: (text) => visit(current.child(text)) }, { seat: 0 }) : null;
  const fill = h("div", { class: "fill" });
  const bar = h("div", { class: "eval-bar", role: "meter", "aria-label": `Expected score of ${game.sides[0]}`, "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "50" }, fill, h("div", { class: "half" }));
  const verdict = h("div", { class: "verdict" }, h("strong", {}, "–"), h("span", {}));
  const lines = h("ol", { class: "lines", "aria-label": "Best lines" });
  const tree = new TreeView((node) => visit(node));
  const graph = new ValueGraph((ply) => visit(current.at(ply)));
  const judge = select(groups.groups.filter((group) => group.label !== "Others").map((group) => ({ ...group, options: group.options.filter((one) => one.value !== "random") })), groups.best, { "aria-label": "Who judges" });
  const count = select([1, 2, 3, 5].map((one) => ({ value: String(one), label: one === 1 ? "1 line" : `${one} lines` })), "3", { "aria-label": "Lines" });
  const power = iconButton("play", "Think", () => { isOn = !isOn; localStorage.setItem("engine", isOn ? "on" : "off"); think(); }, { "aria-pressed": "true" });
  const status = h("p", { class: "status", role: "status" });
  const worth = h("div", { class: "worth" });
  const why = button([icon("eye"), " Why?"], explain);
  const typed = h("input", { type: "text", "aria-label": "Type a move", placeholder: "Type a move", autocomplete: "off", maxlength: 200 });
  const words = h("div", { class: "words" });
  const reviewButton = button([icon("chart"), " Judge the whole game"], review);
  const kind = select(games.map((one) => ({ value: one.name, label: one.title })), game.name, { "aria-label": "Game" });
  kind.addEventListener("change", () => { localStorage.setItem("game", kind.value); go(`/analysis?game=${encodeURIComponent(kind.value)}`); });
  judge.addEventListener("change", () => { worth.replaceChildren(); board?.setWorth(null); think(); });
  count.addEventListener("change", think);

  const controls = h("div", { class: "controls" },
    iconButton("first", "First position", () => visit(root)), iconButton("back", "One move back", back), iconButton("forth", "One move on", forth), iconButton("last", "Last position", () => visit(current.at(Infinity))),
    h("span", { class: "space" }), iconButton("undo", "Delete from here", () => { if (current.parent) visit(current.remove()); }), iconButton("swap", "Make this the main line", () => { current.promote(); drop(); draw(); }), iconButton("flip", "Flip the board", () => { board?.flip(); showValue(); }));
  const form = h("form", { class: "typed", onsubmit: (event) => { event.preventDefault(); const text = typed.value.trim(); typed.value = ""; if (text) play(text); } }, typed, h("button", { type: "submit" }, "Move"));
  holder.append(h("h1", { class: "unseen" }, "Analysis"), h("div", { class: "study" },
    h("div", { class: "middle", style: { "--board-ratio": String(board?.ratio ?? 1) } }, h("div", { class: "with-bar" }, bar, h("div", { class: "board-area" }, board?.element ?? h("pre", { class: "text-board" }))), graph.element, h("div", { class: "row" }, reviewButton, why), worth),
    h("section", { class: "panel side", "aria-label": "Analysis" }, kind, h("div", { class: "row" }, power, verdict, h("span", { class: "space" })), h("div", { class: "tools" }, judge, count), lines, status, tree.element, controls, words, form, records())));
  const forget = onKeys({ ArrowLeft: back, ArrowRight: forth, Home: () => visit(root), End: () => visit(current.at(Infinity)), f: () => board?.flip() });
  showValue();
  await visit(current);
  return () => { isGone = true; stop?.(); stopReview?.(); forget(); };

  // ------------------------------------------------------------ going about

  function back() { if (current.parent) visit(current.parent); }
  function forth() { if (current.children.length) visit(current.children[0]); }

  async function play(text) {
    try {
      const after = await post("/positions/apply", { game: game.name, start, moves: current.moves, move: text });
      const node = current.child(after.history.at(-1));
      node.position = after;
      await visit(node);
    } catch (error) {
      complain(error.message);
    }
  }

  async function visit(node) {
    const before = current;
    current = node;
    stop?.();
    stop = null;
    try {
      node.position ??= await post("/positions", { game: game.name, start, moves: node.moves });
    } catch (error) {
      complain(error.message);
      if (node.parent && !node.position) {
        current = before !== node && before.position ? before : node.remove();
        return visit(current);
      }
      start = "start";
      root = current = new Node();
      return visit(current);
    }
    if (current !== node || isGone) return;
    worth.replaceChildren();
    board?.setWorth(null);
    draw();
    think();
  }

  function drop() { // what was judged is of another line
    values = [];
    marks = new Map();
  }

  function draw() {
    const { position } = current;
    if (board) board.set(position);
    else holder.querySelector(".text-board").textContent = position.text;
    const line = root.mainLine;
    if (values.length && values.length !== line.length + 1) values = values.slice(0, line.length + 1);
    tree.set(root, current, { alternates: game.alternates, marks });
    graph.set(line.length ? [root, ...line].map((_, at) => values[at] ?? null) : [null], current.ply, Object.fromEntries([...marks].map(([node, mark]) => [node.ply, mark.kind])));
    graph.element.toggleAttribute("hidden", !values.length);
    words.replaceChildren(...position.moves.filter((move) => !move.paths.length).map((move) => button(move.text, () => play(move.text))));
    status.textContent = position.ending ? position.ending.sentence : `${game.sides[position.side]} to move${position.check ? " – check" : ""}`;
    history.replaceState(null, "", `/analysis?${new URLSearchParams({ game: game.name, start, moves: current.moves.join(" ") })}`);
    if (position.last) announce(`${game.sides[position.last.side]} plays ${position.last.text}.`);
  }

  // ------------------------------------------------------------ thinking

  function think() {
    stop?.();
    stop = null;
    power.setAttribute("aria-pressed", String(isOn));
    power.replaceChildren(icon(isOn ? "stop" : "play"));
    lines.replaceChildren();
    board?.setShapes([]);
    if (!isOn || current.position.ending) {
      verdict.lastChild.textContent = isOn ? "" : "not thinking";
      if (current.position.ending) showValue(current.position.ending.score);
      return;
    }
    const node = current;
    verdict.lastChild.textContent = "getting ready …";
    stop = search("analyse", { game: game.name, start, moves: node.moves, player: judge.value, seconds: SECONDS, lines: Number(count.value) }, (news) => {
      if (node !== current || isGone) return;
      if (news.error) verdict.lastChild.textContent = news.error;
      else if (news.compiling) verdict.lastChild.textContent = "compiling, the first time takes a moment …";
      if (news.analysis) showAnalysis(news.analysis, news.is_over);
    });
  }

  function showAnalysis(analysis, isOver) {
    const sign = analysis.side === 0 ? 1 : -1;
    const best = analysis.lines[0];
    showValue(sign * best.value);
    const speed = best.seconds > 0 ? ` · ${short(best.nodes / best.seconds)}/s` : "";
    verdict.lastChild.textContent = `depth ${best.depth} · ${short(best.nodes)} nodes${speed}${isOver ? "" : " …"}`;
    lines.replaceChildren(...analysis.lines.map((line) => h("li", {}, h("span", { class: "value", title: line.words }, line.words || signed(sign * line.value)), h("span", { class: "line" }, line.line.slice(0, 12).map((text, at) => h("button", { type: "button", onclick: () => visit(current.add(line.line.slice(0, at + 1))) }, text))))));
    board?.setShapes(analysis.lines.slice(0, 3).flatMap((line, at) => shapeOf(line.move, at ? "other" : "best")));
  }

  function shapeOf(text, kind) {
    const path = current.position.moves.find((move) => move.text === text)?.paths[0];
    if (!path || path.some((step) => step.length !== 1)) return [];
    return path.length === 1 ? [{ from: path[0][0], to: path[0][0], kind }] : path.slice(1).map((step, at) => ({ from: path[at][0], to: step[0], kind }));
  }

  function showValue(value = shownValue) { // for side 0, null before anything is known
    shownValue = value;
    const percent = 50 + 50 * (value ?? 0);
    const isSideZeroBelow = !board || game.picture.owner_sides[board.seat] === 0;
    fill.style.setProperty("height", `${isSideZeroBelow ? percent : 100 - percent}%`);
    fill.style.setProperty("background", barColour(isSideZeroBelow ? 0 : 1));
    bar.style.setProperty("background", barColour(isSideZeroBelow ? 1 : 0));
    bar.setAttribute("aria-valuenow", percent.toFixed(0));
    verdict.firstChild.textContent = value === null ? "–" : signed(value);
    verdict.firstChild.title = value === null ? "" : `${percent.toFixed(0)} % for ${game.sides[0]}`;
  }

  function barColour(side) {
    const owner = game.picture?.owner_sides.indexOf(side) ?? side;
    return game.picture?.owners[owner] ?? (side ? "#444444" : "#dddddd");
  }

  // ------------------------------------------------------------ a whole game

  function review() {
    stopReview?.();
    stop?.();
    const line = [root, ...root.mainLine];
    drop();
    reviewButton.disabled = true;
    stopReview = search("review", { game: game.name, start, moves: line.at(-1).moves, player: judge.value, seconds: REVIEW }, (news) => {
      if (isGone) return;
      if (news.error) complain(news.error);
      if (news.ply !== undefined) {
        values[news.ply] = news.value;
        markFault(line, news.ply, news);
        line[news.ply].best = news.best;
        draw();
        status.textContent = `judging: ${news.ply} of ${line.length - 1}`;
      }
      if (news.is_over) {
        reviewButton.disabled = false;
        draw();
        think();
      }
    });
  }

  function markFault(line, ply, news) {
    if (!ply) return;
    const side = line[ply - 1].position?.side ?? (ply - 1) % 2;
    const lost = ((values[ply - 1] - news.value) * (side === 0 ? 1 : -1)) / 2;
    const fault = FAULTS.find(([least]) => lost >= least);
    if (!fault || line[ply - 1].best === line[ply].text) return;
    marks.set(line[ply], { kind: fault[1], sign: fault[2], title: `${(100 * lost).toFixed(0)} % lost; better: ${line[ply - 1].best}` });
  }

  // ------------------------------------------------------------ why

  async function explain() {
    try {
      const told = await post("/explain", { game: game.name, start, moves: current.moves, player: judge.value });
      board?.setWorth(told);
      const mover = game.sides[told.side];
      const rows = [...told.pieces].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount)).slice(0, 8);
      put(worth, h("h3", {}, `${told.evaluator}, without search: ${signed(told.value)} for ${mover}`),
        h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Piece"), h("th", { class: "number" }, `worth to ${mover}`))), h("tbody", {}, rows.map((one) => h("tr", {}, h("td", {}, `${board.cellName(one.cell)}, ${pieceWords(game.picture, current.position.codes[one.cell], board.names)}`), amount(one.amount))))),
        told.patterns.length ? h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Pattern"), h("th", { class: "number" }, `worth to ${mover}`))), h("tbody", {}, told.patterns.slice(0, 6).map((one) => h("tr", { onmouseenter: () => board.setWorth({ ...told, patterns: [one] }) }, h("td", {}, one.cells.map((cell) => board.cellName(cell)).join(" ")), amount(one.amount))))) : null,
        button("Hide", () => { worth.replaceChildren(); board.setWorth(null); }));
    } catch (error) {
      complain(error.message);
    }
  }

  function amount(value) {
    return h("td", { class: `number ${value > 0 ? "plus" : "minus"}` }, signed(value));
  }

  // ------------------------------------------------------------ records and positions

  function records() {
    const format = select(game.formats, game.formats[0], { "aria-label": "Format" });
    const text = h("textarea", { "aria-label": "Games as text", spellcheck: "false", placeholder: "Paste games here, or export this one." });
    const found = h("div", {});
    const position = h("input", { type: "text", "aria-label": "Position", spellcheck: "false", maxlength: 4000 });
    const file = h("input", { type: "file", accept: ".pgn,.pdn,.jsonl,.txt", "aria-label": "File of games", onchange: async () => {
      const chosen = file.files[0];
      if (!chosen) return;
      if (chosen.size > 500_000) return complain("A file has at most 500 kB here; larger ones are for the command line.");
      text.value = await chosen.text();
      const ending = game.formats.find((one) => chosen.name.toLowerCase().endsWith(one));
      if (ending) format.value = ending;
      load();
    } });
    const load = async () => {
      try {
        const told = await post("/records/import", { game: game.name, text: text.value, format: format.value });
        if (!told.games.length) return complain("There is no game in this text.");
        take(told.games[0]);
        found.replaceChildren(told.games.length > 1 ? select(told.games.map((one, at) => ({ value: String(at), label: `${at + 1}. ${one.players.join(" – ")}${one.error ? " (faulty)" : ""}` })), "0", { "aria-label": "Which game", onchange: (event) => take(told.games[Number(event.target.value)]) }) : "");
      } catch (error) {
        complain(error.message);
      }
    };
    const take = (one) => {
      if (one.error) return complain(one.error);
      start = one.start;
      root = new Node();
      drop();
      visit(root.add(one.moves));
    };
    const save = async () => {
      try {
        const line = root.mainLine;
        const told = await post("/records/export", { game: game.name, start, moves: line.at(-1)?.moves ?? [], format: format.value });
        text.value = told.text;
        text.select();
      } catch (error) {
        complain(error.message);
      }
    };
    const setUp = (wanted) => {
      const before = start;
      start = wanted.trim() || "start";
      post("/positions", { game: game.name, start }).then(() => { root = new Node(); drop(); visit(root); }, (error) => { start = before; complain(error.message); });
    };
    return h("div", {},
      h("details", { ontoggle: () => { position.value = current.position.text; } }, h("summary", {}, "Position and link"), field("Position", position),
        h("div", { class: "row" }, button("Set up", () => setUp(position.value)), button([icon("link"), " Copy link"], () => copy(location.href, "The link is copied.")), h("a", { href: `/?game=${game.name}`, onclick: (event) => { event.preventDefault(); go(`/?${new URLSearchParams({ game: game.name, start: current.position.text })}`); } }, "Play from here"))),
      h("details", {}, h("summary", {}, "Import and export"), text, h("div", { class: "row" }, format, button("Import", load), button("Export", save)), file, found),
      game.can_edit && board ? editor(setUp) : null);
  }

  function editor(setUp) {
    let chosen = Object.keys(game.picture.pieces).map(Number).find((code) => code > 0);
    let codes = [];
    let side = 0;
    const palette = h("div", { class: "palette", role: "group", "aria-label": "Pieces to set" });
    const codesShown = [0, ...Object.keys(game.picture.pieces).map(Number).filter((code) => code && Math.abs(code) <= 16).sort((a, b) => Math.sign(b) - Math.sign(a) || Math.abs(b) - Math.abs(a))];
    for (const code of codesShown) {
      palette.append(h("button", { type: "button", "aria-label": code ? pieceWords(game.picture, code, board.names) : "empty", "aria-pressed": String(code === chosen), onclick: (event) => {
        chosen = code;
        for (const one of palette.children) one.setAttribute("aria-pressed", String(one === event.currentTarget));
      } }, s("svg", { viewBox: "-0.6 -0.6 1.2 1.2", "aria-hidden": "true" }, code ? drawPiece(game.picture, code, 0.5) : s("path", { d: "M-.3-.3L.3.3M.3-.3L-.3.3", stroke: "#fff", "stroke-width": 0.1 }))));
    }
    const mover = select(game.sides.map((name, at) => ({ value: String(at), label: `${name} to move` })), "0", { "aria-label": "Side to move", onchange: () => { side = Number(mover.value); } });
    const made = h("details", { ontoggle: () => {
      if (!made.open) {
        board.editing = null;
        if (current.position) board.set(current.position);
        return;
      }
      stop?.();
      codes = [...current.position.codes];
      side = current.position.side;
      mover.value = String(side);
      board.setShapes([]);
      board.editing = (cell) => {
        codes[cell] = codes[cell] === chosen ? 0 : chosen;
        board.set({ codes: [...codes], moves: [] }, { isAnimated: false });
      };
      board.set({ codes, moves: [] }, { isAnimated: false });
    } }, h("summary", {}, "Edit the position"), palette, h("div", { class: "row" }, mover, button("Clear", () => { codes = codes.map(() => 0); board.set({ codes, moves: [] }, { isAnimated: false }); }), button("Use this position", async () => {
      try {
        const told = await post("/positions/edit", { game: game.name, codes, side });
        made.open = false;
        setUp(told.text);
      } catch (error) {
        complain(error.message);
      }
    })));
    return made;
  }
}

function signed(value) {
  if (Math.abs(value) >= 1) return value > 0 ? "+1" : "−1";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

function short(number) {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) if (number >= size) return `${(number / size).toPrecision(3)} ${letter}`;
  return String(Math.round(number));
}
