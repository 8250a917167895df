// Play: choose a game and who plays it, then the game itself.

import { announce, button, complain, copy, field, h, icon, iconButton, playerName, select } from "../dom.js";
import { gameInfo, gameList, get, keepKey, keyOf, post } from "../api.js";
import { Board } from "../board.js";
import { MoveList, onKeys } from "../movelist.js";
import { SeatMenu } from "../seatmenu.js";
import { SeatPicker, playerGroups } from "../seats.js";
import { subscribe } from "../socket.js";
import { go } from "../app.js";

export async function show(holder, parts, query) {
  return parts[0] === "play" && parts[1] ? showGame(holder, parts[1], query) : showLobby(holder, query);
}

// ---------------------------------------------------------------- the lobby

const CLOCKS = [
  { value: "", label: "no clock" }, { value: "60+0", label: "1 minute" }, { value: "180+2", label: "3 minutes + 2 s" },
  { value: "300+0", label: "5 minutes" }, { value: "600+5", label: "10 minutes + 5 s" }, { value: "1800+0", label: "30 minutes" }, { value: "other", label: "other …" },
];

async function showLobby(holder, query) {
  const games = await gameList();
  let chosen = query.get("game") ?? localStorage.getItem("game") ?? "draughts";
  if (!games.some((game) => game.name === chosen)) chosen = games[0].name;
  const tiles = h("div", { class: "tiles", role: "radiogroup", "aria-label": "Game" });
  const setup = h("section", { class: "panel setup", "aria-label": "New game" });
  const recent = h("div", { class: "recent" });
  for (const game of games) tiles.append(tile(game));
  holder.append(h("h1", { class: "unseen" }, "Play"), h("div", { class: "lobby" }, h("div", { class: "lobby-games" }, h("h2", {}, "Games"), tiles, recent), setup));
  await pick(chosen, false);
  showRecent(recent);
  let isGone = false;
  drawTiles();
  return () => { isGone = true; };

  function tile(game) {
    const [title, more] = split(game.title);
    const made = h("button", { type: "button", class: "tile", role: "radio", "data-game": game.name, onclick: () => pick(game.name, true).then(showSetup) },
      h("span", { class: "preview", "aria-hidden": "true" }), h("span", { class: "title" }, title), h("span", { class: "more" }, more));
    made.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const all = [...tiles.children];
      const next = all[(all.indexOf(made) + step + all.length) % all.length];
      next.focus();
      pick(next.dataset.game, true);
    });
    return made;
  }

  function showSetup() { // on a phone it is below all games
    if (!matchMedia("(max-width: 60rem)").matches) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    setup.scrollIntoView({ block: "start", behavior: isStill ? "auto" : "smooth" });
  }

  async function pick(name, isKept) {
    chosen = name;
    if (isKept) localStorage.setItem("game", name);
    for (const one of tiles.children) {
      const isIt = one.dataset.game === name;
      one.setAttribute("aria-checked", String(isIt));
      one.setAttribute("tabindex", isIt ? "0" : "-1");
    }
    const waiting = setTimeout(() => { // the form of another game must not be taken for this one's
      if (chosen === name) setup.replaceChildren(h("p", { class: "waiting", role: "status" }, `Getting ${name} ready: the first time takes a moment ...`));
    }, 100);
    try {
      const game = await gameInfo(name);
      const players = await playerGroups(game);
      clearTimeout(waiting);
      if (chosen === name) setup.replaceChildren(...form(game, players, query));
    } catch (error) {
      clearTimeout(waiting);
      setup.replaceChildren(h("p", {}, error.message));
    }
  }

  async function drawTiles() { // one after the other: a game may have to be compiled for it
    for (const one of [...tiles.children].sort((a, b) => (b.dataset.game === chosen) - (a.dataset.game === chosen))) {
      if (isGone) return;
      try {
        const game = await gameInfo(one.dataset.game);
        if (!game.picture) continue;
        const board = new Board(game, {}, { isStatic: true });
        board.set({ codes: game.codes }, { isAnimated: false });
        one.querySelector(".preview").replaceChildren(board.element);
      } catch (error) {
        one.querySelector(".more").textContent = error.message;
      }
    }
  }
}

function split(title) {
  const at = title.indexOf(",");
  return at < 0 ? [title, ""] : [title.slice(0, at), title.slice(at + 2)];
}

function form(game, players, query) {
  const kept = remembered(game);
  const pickers = Array.from({ length: game.players }, (_, seat) => new SeatPicker(seatName(game, seat), players, { isPerson: seat === 0, value: kept[seat] }));
  const clock = select(CLOCKS, "");
  const own = h("input", { type: "text", pattern: "\\d+\\+\\d+", placeholder: "seconds+increment", "aria-label": "Seconds and increment" });
  own.hidden = true;
  clock.addEventListener("change", () => { own.hidden = clock.value !== "other"; });
  const start = h("input", { type: "text", value: query.get("start") ?? "", placeholder: "the first position", maxlength: 4000, autocomplete: "off" });
  const rows = pickers.map((picker, seat) => h("div", { class: "seat" }, dot(game, seat), h("span", { class: "seat-name" }, seatName(game, seat)), picker.element));
  const swap = game.players === 2 ? iconButton("swap", "Exchange the seats", () => {
    const values = pickers.map((picker) => picker.value);
    pickers.forEach((picker, seat) => picker.set(values[1 - seat]));
  }) : null;
  const submit = h("button", { type: "submit", class: "primary" }, icon("play"), "Play");
  const made = h("form", {}, h("h2", {}, split(game.name)[0], swap), rows, field("Clock", clock), own, h("details", { open: Boolean(query.get("start")) }, h("summary", {}, "From another position"), field("Position", start)), submit,
    h("p", { class: "hint" }, "A game of your own is a Python file: ", h("code", {}, "plywise serve mygame.py"), ". Code is never taken over the network."));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const said = clock.value === "other" ? own.value : clock.value;
    const [seconds, increment] = said.split("+").map(Number);
    const seats = pickers.map((picker) => picker.value);
    localStorage.setItem(`seats:${game.name}`, JSON.stringify(seats));
    try {
      const board = await post("/boards", { game: game.name, seats, start: start.value.trim() || "start", clock: said ? { seconds, increment: increment || 0 } : null });
      const people = seats.flatMap((one, seat) => (one === "human" ? [seat] : []));
      if (people.length > 1) await post(`/boards/${board.id}/take`, { seat: people[0] });
      go(`/play/${board.id}`);
    } catch (error) {
      complain(error.message);
      submit.disabled = false;
    }
  });
  return [made];
}

function remembered(game) {
  try {
    const kept = JSON.parse(localStorage.getItem(`seats:${game.name}`)) ?? [];
    return kept.length === game.players ? kept : [];
  } catch {
    return [];
  }
}

function seatName(game, seat) {
  return game.players === 2 ? game.sides[seat] : `Player ${seat + 1} (${game.sides[game.picture?.owner_sides[seat] ?? seat % 2]})`;
}

function dot(game, seat) {
  return h("span", { class: "dot", style: { background: game.picture?.owners[seat] ?? "#888" }, "aria-hidden": "true" });
}

async function showRecent(recent) {
  const boards = (await get("/boards")).filter((board) => board.plies > 0).slice(0, 6);
  if (!boards.length) return;
  recent.append(h("h2", {}, "Go on with"), h("ul", {}, boards.map((board) => h("li", {}, h("a", { href: `/play/${board.id}` }, h("strong", {}, board.game), ` ${board.seats.map(playerName).join(" – ")} `, h("span", { class: "more" }, `${board.plies} moves`))))));
}

// ---------------------------------------------------------------- the game

// Get a board; a private link in the address makes this browser who plays there.
async function getBoard(id) {
  const path = `/boards/${encodeURIComponent(id)}`;
  const key = location.hash.match(/^#key=([A-Za-z0-9]{16,64})$/)?.[1];
  const view = await get(path);
  if (!key) return view;
  history.replaceState(null, "", location.pathname + location.search); // it shall not be seen, nor copied by mistake
  if (key !== keyOf(id) && view.holders.includes(view.badge)) {
    complain("This browser has another seat of this board already: open the private link in another one.");
    return view;
  }
  keepKey(id, key);
  return get(path);
}

async function showGame(holder, id, query) {
  let view = await getBoard(id);
  const game = await gameInfo(view.game);
  const mine = query.has("seat") ? Number(query.get("seat")) : null; // this window plays only that seat
  let frames = null; // all positions so far, when somebody looks back
  let shown = null; // the ply that is looked at, null: the present
  let ticking = 0;
  const { badge } = view; // of this browser
  if (mine !== null) view = await takeSeat();
  const isShared = () => view.seats.filter((seat) => seat === "human").length > 1;
  const isOwn = (seat) => Boolean(badge) && view.holders[seat] === badge;
  const canPlay = (seat) => view.seats[seat] === "human" && (mine === null || mine === seat) && (!isShared() || isOwn(seat) || !view.holders[seat]);
  const people = () => { // the seats that this window plays, its own ones first
    const seats = view.seats.map((_, seat) => seat).filter(canPlay);
    return [...seats.filter(isOwn), ...seats.filter((seat) => !isOwn(seat))];
  };

  const sideOf = (seat) => game.picture?.owner_sides[seat] ?? seat % 2;
  const board = game.picture ? new Board(game, { move: play }, { seat: people()[0] ?? 0 }) : null;
  const moveList = new MoveList((ply) => look(ply));
  const status = h("p", { class: "status", role: "status" });
  const thought = h("p", { class: "thought" });
  const typed = h("input", { type: "text", "aria-label": "Type a move", placeholder: "Type a move", autocomplete: "off", spellcheck: "false", maxlength: 200, list: "legal" });
  const legal = h("datalist", { id: "legal" });
  const words = h("div", { class: "words" });
  const menus = view.seats.map(() => new SeatMenu());
  const strips = view.seats.map((_, seat) => strip(seat));
  const controls = h("div", { class: "controls" },
    iconButton("first", "First position", () => look(0)), iconButton("back", "One move back", () => look((shown ?? view.moves.length) - 1)),
    iconButton("forth", "One move on", () => look((shown ?? view.moves.length) + 1)), iconButton("last", "Present position", () => look(null)),
    h("span", { class: "space" }), iconButton("undo", "Take back", () => act("undo")), iconButton("flip", "Flip the board", flip), iconButton("flag", "Resign", () => act("resign", { seat: mine })));
  const more = h("div", { class: "links" });
  const form = h("form", { class: "typed", onsubmit: (event) => { event.preventDefault(); const text = typed.value.trim(); typed.value = ""; if (text) play(text); } }, typed, legal, h("button", { type: "submit" }, "Move"));
  const area = h("div", { class: "board-area" }, board?.element ?? h("pre", { class: "text-board" }));
  const upper = h("div", { class: "strips upper" }), lower = h("div", { class: "strips lower" });
  holder.append(h("h1", { class: "unseen" }, `A game of ${view.game}`), h("div", { class: "game" }, h("div", { class: "middle", style: { "--board-ratio": String(board?.ratio ?? 1), "--around": `${7 + 2.6 * view.seats.length}rem` } }, upper, area, lower), h("section", { class: "panel side", "aria-label": "Game" }, status, moveList.element, controls, words, form, thought, more)));
  if (board) board.isPlacing = view.position.moves.length > 0 && view.position.moves.every((move) => move.paths.every((path) => path.length === 1));
  arrange();
  render(true);
  const leave = subscribe(`board:${id}`, (news) => update(news), keyOf(id));
  const forget = onKeys({ ArrowLeft: () => look((shown ?? view.moves.length) - 1), ArrowRight: () => look((shown ?? view.moves.length) + 1), Home: () => look(0), End: () => look(null), f: flip });
  const timer = setInterval(tick, 200);
  return () => { leave(); forget(); clearInterval(timer); };

  async function takeSeat() {
    try {
      return await post(`/boards/${id}/take`, { seat: mine });
    } catch (error) {
      complain(error.message);
      return view;
    }
  }

  function strip(seat) {
    return h("div", { class: "strip" }, dot(game, seat), h("span", { class: "name" }), h("span", { class: "seat-of" }, seatName(game, seat)), menus[seat].element, h("span", { class: "clock", role: "timer" }));
  }

  function holding(seat) { // who has a seat, null where it does not matter
    if (!isShared() || view.seats[seat] !== "human") return null;
    if (isOwn(seat)) return "you";
    return !view.holders[seat] ? "free" : view.present[seat] ? "here" : "away";
  }

  function showMenu(seat) {
    const link = `${location.origin}/play/${id}`, kind = holding(seat);
    const isPlayer = view.seats.some((_, one) => isOwn(one));
    menus[seat].set(kind, seatName(game, seat), {
      copyPrivate: () => copy(`${link}${mine === null ? "" : `?seat=${mine}`}#key=${keyOf(id)}`, "The private link of your seat is copied."),
      copy: () => copy(`${link}?seat=${seat}`, "The link of the seat is copied."),
      playOnly: mine === null && people().length > 1 && (() => go(`/play/${id}?seat=${seat}`)),
      take: () => go(`/play/${id}?seat=${seat}`),
      free: isPlayer && (() => act("free", { seat })),
    });
  }

  function arrange() {
    const low = sideOf(board?.seat ?? 0);
    upper.replaceChildren(...strips.filter((_, seat) => sideOf(seat) !== low));
    lower.replaceChildren(...strips.filter((_, seat) => sideOf(seat) === low));
  }

  function flip() {
    board?.flip();
    arrange();
  }

  async function play(text) {
    words.replaceChildren(); // what is pressed twice is played once
    try {
      update(await post(`/boards/${id}/moves`, { move: text, ply: view.moves.length }));
    } catch (error) {
      complain(error.message);
      render(true);
    }
  }

  async function rematch() { // with the seats exchanged
    try {
      const seats = view.seats.map((_, seat) => view.seats.at(seat - 1));
      const clock = view.clock && { seconds: view.clock[0], increment: view.clock[1] };
      const { id: next } = await post("/boards", { game: view.game, seats, start: view.start, clock });
      go(`/play/${next}`);
    } catch (error) {
      complain(error.message);
    }
  }

  async function act(what, body = {}) {
    if (what === "resign" && !view.ending && !confirmed()) return;
    try {
      shown = null;
      update(await post(`/boards/${id}/${what}`, body));
    } catch (error) {
      complain(error.message);
    }
  }

  function confirmed() {
    const now = Date.now();
    const isSecond = now - ticking < 4000;
    ticking = now;
    if (!isSecond) complain("Press the flag once more to resign.");
    return isSecond;
  }

  function update(news) {
    if (news.version < view.version) return; // an answer that was overtaken by newer news
    const isNew = news.moves.length !== view.moves.length || news.moves.at(-1) !== view.moves.at(-1) || Boolean(news.ending) !== Boolean(view.ending);
    const before = view, playing = String(people());
    view = { ...news, heard: performance.now() };
    if (isNew) {
      frames = null;
      shown = null;
      tell(before);
    }
    render(isNew || playing !== String(people()));
  }

  function tell(before) {
    const { last } = view.position;
    const parts = [];
    if (last && view.moves.length > before.moves.length) parts.push(`${game.sides[last.side]} plays ${last.text}${last.removed.length ? `, takes ${last.removed.map((cell) => board?.cellName(cell) ?? cell).join(", ")}` : ""}.`);
    if (view.ending) parts.push(view.ending.sentence);
    else if (people().includes(view.position.seat)) parts.push("Your turn.");
    if (parts.length) announce(parts.join(" "));
  }

  async function look(ply) {
    const last = view.moves.length;
    const wanted = ply === null || ply >= last ? null : Math.max(0, ply);
    if (wanted !== null && !frames) {
      const told = await post("/positions", { game: view.game, start: view.start, moves: view.moves, frames: true });
      frames = told.frames;
    }
    shown = wanted;
    render(true);
  }

  function render(isBoardNew) {
    const isPresent = shown === null;
    const isMine = people().includes(view.position.seat) && !view.ending;
    if (board && isBoardNew) {
      board.premoving = !isMine && !view.ending && people().length ? people()[0] : null;
      board.set(isPresent ? view.position : { ...frames[shown], moves: [] }, { canMove: isPresent && isMine });
      area.classList.toggle("past", !isPresent);
    } else if (!board) area.firstChild.textContent = view.position.text;
    showStatus(isMine);
    showSeats();
    form.hidden = !isMine;
    if (isBoardNew) { // not at every news: whoever has the focus on a button keeps it
      moveList.set(view.moves, shown ?? view.moves.length, { alternates: game.alternates });
      showWords(isMine && isPresent);
      legal.replaceChildren(...(isMine ? view.position.moves : []).map((move) => h("option", { value: move.text })));
      showMore();
    }
    tick();
  }

  function showStatus(isMine) {
    const turn = seatName(game, view.position.seat);
    let text = isMine ? `${people().length > 1 ? `${turn} to move` : "Your turn"}` : view.news === "compiling" ? "Getting ready: the first time takes a moment …" : `${turn} is thinking …`;
    if (!isMine && view.seats[view.position.seat] === "human") text = `${turn} to move${isShared() && !people().length ? " – you watch" : ""}`;
    if (view.position.check && !view.ending) text += " – check";
    if (view.problem) text = view.problem;
    if (view.ending) text = view.ending.sentence;
    status.textContent = text;
    status.classList.toggle("over", Boolean(view.ending));
    status.classList.toggle("busy", view.is_thinking);
    const found = view.thought;
    thought.textContent = found && found.nodes > 1 ? `${seatName(game, found.seat)} expected to score ${(100 * found.expected_score).toFixed(0)} % by ${found.line.slice(0, 6).join(" ")} (depth ${found.depth}, ${found.nodes.toLocaleString("en")} nodes)` : "";
  }

  function showSeats() {
    strips.forEach((made, seat) => {
      made.querySelector(".name").textContent = view.seats[seat] === "human" && !isShared() ? "You" : playerName(view.seats[seat]);
      showMenu(seat);
      made.classList.toggle("turn", seat === view.position.seat && !view.ending);
    });
  }

  function showWords(canMove) { // moves that no cell shows: pass
    const plain = canMove ? view.position.moves.filter((move) => !move.paths.length) : [];
    words.replaceChildren(...plain.map((move) => button(move.text, () => { board?.takeFocus(); play(move.text); })));
  }

  function showMore() {
    const moves = view.moves.join(" ");
    const address = `/analysis?${new URLSearchParams({ game: view.game, start: view.start, moves })}`;
    more.replaceChildren(...(view.ending && people().length && people().length === view.seats.filter((seat) => seat === "human").length ? [button([icon("swap"), " Rematch"], rematch, { class: "link" })] : []), h("a", { href: address }, icon("chart"), "Analyse"), h("a", { href: `/?game=${view.game}` }, icon("plus"), "New game"),
      button([icon("link"), " Copy link"], () => copy(`${location.origin}/play/${id}`, "The link is copied."), { class: "link" }));
  }

  function tick() {
    strips.forEach((made, seat) => {
      const clock = made.querySelector(".clock");
      clock.hidden = !view.clock;
      if (!view.clock) return;
      const isRunning = seat === view.position.seat && !view.ending && view.moves.length > 0;
      const left = Math.max(0, view.left[seat] - (isRunning ? (performance.now() - (view.heard ??= performance.now())) / 1000 : 0));
      clock.textContent = left < 10 ? left.toFixed(1) : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
      clock.classList.toggle("short", left < 10);
    });
  }
}
