// Arena: matches and tournaments with a live standing; click a game to replay it.

import { button, complain, field, h, icon, playerName, s, select } from "../dom.js";
import { gameInfo, gameList, get, post } from "../api.js";
import { SeatPicker, playerGroups } from "../seats.js";
import { subscribe } from "../socket.js";
import { state } from "./train.js";
import { go } from "../app.js";

export async function show(holder, parts) {
  return parts[1] ? showContest(holder, parts[1]) : showAll(holder);
}

// ---------------------------------------------------------------- all contests, and a new one

async function showAll(holder) {
  const games = await gameList();
  const list = h("section", { class: "panel", "aria-label": "Matches and tournaments" }, h("h2", {}, "Matches and tournaments"));
  const game = select(games.map((one) => ({ value: one.name, label: one.title })), localStorage.getItem("game") ?? "connect4");
  const players = h("div", {});
  const count = h("input", { type: "number", min: 2, max: 10000, step: 2, value: "20" });
  const sprt = h("input", { type: "text", placeholder: "0 20", pattern: "\\s*-?[\\d.]+\\s+-?[\\d.]+\\s*", autocomplete: "off" });
  const gauntlet = h("input", { type: "checkbox" });
  const submit = h("button", { type: "submit", class: "primary" }, icon("play"), "Start");
  const fewer = button([icon("minus"), " One fewer"], () => drop());
  fewer.hidden = true;
  let pickers = [];
  let known = null;
  game.addEventListener("change", fill);
  const form = h("form", { class: "panel", "aria-label": "New match", onsubmit: begin }, h("h2", {}, "New match"), field("Game", game), players, h("p", { class: "row" }, button([icon("plus"), " One more player"], () => add("level=2")), fewer), field("Games between two players", count), field("SPRT", sprt, "Two Elo numbers end a match of two as soon as it is clear which one is true."), h("div", { class: "row field" }, h("label", {}, gauntlet, " First player against all the others only")), submit);
  holder.append(h("h1", {}, "Arena"), h("div", { class: "two" }, form, list));
  await fill();
  return subscribe("contests", ({ contests }) => list.replaceChildren(h("h2", {}, "Matches and tournaments"), contests.length ? table(contests) : h("p", { class: "more" }, "None yet.")));

  async function fill() {
    const wanted = game.value;
    pickers = [];
    players.replaceChildren();
    const groups = await playerGroups(await gameInfo(wanted), { hasPeople: false });
    if (game.value !== wanted || pickers.length) return; // another game was chosen meanwhile
    known = groups;
    add("level=3");
    add("level=2");
  }

  function add(strength) {
    if (pickers.length >= 16) return;
    const picker = new SeatPicker(`Player ${pickers.length + 1}`, known, { strength });
    pickers.push(picker);
    players.append(h("div", { class: "field" }, h("span", { class: "more" }, `Player ${pickers.length}`), picker.element));
    fewer.hidden = pickers.length <= 2;
  }

  function drop() {
    pickers.pop();
    players.lastChild.remove();
    fewer.hidden = pickers.length <= 2;
  }

  async function begin(event) {
    event.preventDefault();
    submit.disabled = true;
    const bounds = sprt.value.trim() ? sprt.value.trim().split(/\s+/).map(Number) : null;
    try {
      const made = await post("/contests", { game: game.value, players: pickers.map((picker) => picker.value), games: Number(count.value), sprt: bounds, is_gauntlet: gauntlet.checked });
      go(`/arena/${made.name}`);
    } catch (error) {
      complain(error.message);
      submit.disabled = false;
    }
  }
}

function table(contests) {
  return h("div", { class: "scroll folding", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, ["Game", "Players", "State", "Games", "Elo"].map((text) => h("th", { class: text === "Games" ? "number wide" : null }, text)))),
    h("tbody", {}, contests.map((one) => h("tr", {}, h("td", {}, h("a", { href: `/arena/${one.name}` }, one.game)), h("td", {}, one.plan.players.map(playerName).join(" – ")), h("td", {}, state(one.standing.state)), h("td", { class: "number wide" }, String(one.standing.games ?? 0)), h("td", {}, one.standing.ratings ? "" : elo(one.standing)))))));
}

function elo(standing) {
  const sign = (number) => `${number > 0 ? "+" : ""}${number.toFixed(0)}`;
  if (standing.elo_error !== null && standing.elo_error !== undefined && standing.elo !== null) return `${sign(standing.elo)} ± ${standing.elo_error.toFixed(0)}`;
  if (standing.elo_low !== null && standing.elo_low !== undefined) return `above ${sign(standing.elo_low)}`;
  if (standing.elo_high !== null && standing.elo_high !== undefined) return `below ${sign(standing.elo_high)}`;
  return "–";
}

// ---------------------------------------------------------------- one contest

async function showContest(holder, name) {
  const standing = h("section", { class: "panel stack", "aria-label": "Standing" });
  const games = h("section", { class: "panel", "aria-label": "Games" });
  let shown = -1;
  const first = await get(`/contests/${encodeURIComponent(name)}`);
  holder.append(h("p", {}, h("a", { href: "/arena" }, "← all matches")), h("h1", {}, `${first.game}: ${first.plan.players.map(playerName).join(" – ")}`), h("div", { class: "stack" }, standing, games));
  render(first);
  return subscribe(`contest:${name}`, render);

  function render(contest) {
    const told = contest.standing;
    const isRunning = told.state === "running" || told.state === "starting";
    const total = contest.plan.games * pairs(contest.plan);
    standing.replaceChildren(h("div", { class: "row" }, state(told.state), h("span", { role: "status" }, told.error ?? `${told.games ?? 0} of ${total} games`), isRunning ? button([icon("stop"), " Stop"], () => act("stop")) : told.state === "stopped" ? button([icon("play"), " Resume"], () => act("resume")) : null), told.ratings ? tournament(told) : told.players ? match(told) : h("p", { class: "more" }, isRunning ? "Players are getting ready; the first game takes a moment." : ""));
    if ((told.games ?? 0) !== shown) {
      shown = told.games ?? 0;
      listGames(contest);
    }
  }

  async function act(what) {
    try {
      render(await post(`/contests/${encodeURIComponent(name)}/${what}`));
    } catch (error) {
      complain(error.message);
    }
  }

  async function listGames(contest) {
    const played = await get(`/contests/${encodeURIComponent(name)}/games`);
    games.replaceChildren(h("h2", {}, "Games"), played.length ? h("div", { class: "scroll folding", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Game"), ["First", "Second", "Result"].map((text) => h("th", {}, text)), h("th", { class: "wide" }, "Ended by"), h("th", { class: "number wide" }, "Moves"))), h("tbody", {}, played.slice(0, 100).map((one) => h("tr", {}, h("td", {}, replayLink(contest, one)), h("td", {}, playerName(one.players[0])), h("td", {}, playerName(one.players[1])), h("td", { class: "score" }, one.result), h("td", { class: "wide" }, one.reason), h("td", { class: "number wide" }, String(one.plies)))))), played.length > 100 ? h("p", { class: "more" }, `The last 100 of ${played.length} games.`) : null) : h("p", { class: "more" }, "None is finished yet."));
  }
}

function replayLink(contest, one) {
  const address = `/analysis?${new URLSearchParams({ game: contest.game, start: one.start, moves: one.moves.join(" ") })}`;
  return h("a", { href: address, "aria-label": `Replay game ${one.number}`, class: "replay" }, icon("play"), String(one.number));
}

function pairs(plan) {
  const players = plan.players.length;
  return plan.is_gauntlet ? players - 1 : (players * (players - 1)) / 2;
}

function match(told) {
  const facts = [
    ["Score", `${told.wins} wins, ${told.draws} draws, ${told.losses} losses for ${playerName(told.players[0])}`],
    ["Elo", `${elo(told)} (95 %, from ${told.pairs} pairs)`],
    ["Stronger", `with probability ${told.los > 0.9995 ? "above 0.999" : told.los.toFixed(3)}; p-value ${told.p_value < 0.0001 ? "below 0.0001" : told.p_value.toFixed(4)} if both were equal`],
    ["Pairs", `${told.pentanomial.join("  ")}  (0, ½, 1, 1½, 2 points)`],
    ["Ended by", Object.entries(told.reasons).map(([reason, count]) => `${reason} ${count}`).join(", ")],
    ["Speed", `${told.games_per_second.toPrecision(3)} games a second`],
  ];
  if (told.sprt) facts.push(["SPRT", `${told.sprt.elo0} or ${told.sprt.elo1} Elo: LLR ${told.sprt.llr.toFixed(2)} between ${told.sprt.bounds.map((one) => one.toFixed(2)).join(" and ")}, ${decision(told)}`]);
  return h("dl", { class: "facts" }, facts.map(([key, value]) => [h("dt", {}, key), h("dd", {}, value)]));
}

function decision(told) {
  const { elo0, elo1, decision: said } = told.sprt;
  if (said === "continue") return told.state === "finished" ? "not decided" : "not decided yet";
  return { accept: `${elo1} Elo is accepted`, reject: `${elo0} Elo is accepted` }[said] ?? said;
}

function errorBar({ elo: middle, elo_error: error }, [low, high]) { // where a rating lies among all of them
  const x = (value) => 4 + (92 * (value - low)) / (high - low || 1);
  return s("svg", { viewBox: "0 0 100 16", class: "error-bar", "aria-hidden": "true" },
    s("path", { d: `M${x(middle - error)} 4v8m0-4H${x(middle + error)}m0-4v8` }), s("circle", { cx: x(middle), cy: 8, r: 3.5 }));
}

function tournament(told) {
  const { players, points, games } = told.cross_table;
  const rated = Object.fromEntries(told.ratings.map((one) => [one.player, one]));
  const order = players.map((_, at) => at).sort((a, b) => (rated[players[b]]?.elo ?? 0) - (rated[players[a]]?.elo ?? 0));
  const reach = [Math.min(...told.ratings.map((one) => one.elo - one.elo_error)), Math.max(...told.ratings.map((one) => one.elo + one.elo_error))];
  return h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "cross" }, h("thead", {}, h("tr", {}, h("th", {}, "Player"), h("th", {}, "Elo"), h("th", {}, "± 95 %"), h("th", { class: "wide" }, "Interval"), h("th", {}, "Points"), order.map((_, at) => h("th", {}, String(at + 1))))),
    h("tbody", {}, order.map((row, at) => {
      const one = rated[players[row]];
      return h("tr", {}, h("td", {}, `${at + 1}. ${playerName(players[row])}`), h("td", {}, one ? one.elo.toFixed(0) : "–"), h("td", {}, one ? (players[row] === told.anchor ? "anchor" : one.elo_error.toFixed(0)) : ""), h("td", { class: "wide" }, one ? errorBar(one, reach) : ""), h("td", {}, one ? `${one.points} / ${one.games}` : ""), order.map((column) => h("td", {}, row === column ? "·" : games[row][column] ? `${points[row][column]} / ${games[row][column]}` : "–")));
    }))));
}
