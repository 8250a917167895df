// Train: start a learner with its settings as a form, watch its curves, stop it, resume it, and
// play its model as it is now.

import { button, complain, field, h, icon, put, select } from "../dom.js";
import { gameInfo, gameList, get, post } from "../api.js";
import { Board } from "../board.js";
import { curve } from "../chart.js";
import { subscribe } from "../socket.js";
import { go } from "../app.js";

export async function show(holder, parts) {
  return parts[1] ? showRun(holder, parts[1]) : showAll(holder);
}

// ---------------------------------------------------------------- all runs, and a new one

async function showAll(holder) {
  const games = await gameList();
  const learners = await get("/learners");
  const list = h("section", { class: "panel", "aria-label": "Runs" }, h("h2", {}, "Runs"), h("p", { class: "more" }, "None yet. Runs of the command line appear here too."));
  const game = select(games.map((one) => ({ value: one.name, label: one.title })), localStorage.getItem("game") ?? "connect4");
  const learner = select(learners.map((one) => ({ value: one.name, label: one.name })), "patterns");
  const about = h("p", { class: "hint" });
  const minutes = h("input", { type: "number", min: 0.1, step: "any", max: 10000, placeholder: "until it is done" });
  const name = h("input", { type: "text", maxlength: 80, pattern: "[A-Za-z0-9._\\-]*", placeholder: "chosen for you", autocomplete: "off" });
  const settings = h("div", { class: "settings-grid" });
  const submit = h("button", { type: "submit", class: "primary" }, icon("play"), "Train");
  let fields = [];
  learner.addEventListener("change", fill);
  const form = h("form", { class: "panel", "aria-label": "New training", onsubmit: begin }, h("h2", {}, "New training"), field("Game", game), field("Learner", learner), about, field("Minutes", minutes), field("Name", name), h("details", {}, h("summary", {}, "Settings"), settings), submit,
    h("p", { class: "hint" }, "A learner of your own is a Python file, for the command line: ", h("code", {}, "plywise train GAME mylearner.py")));
  holder.append(h("h1", {}, "Train"), h("div", { class: "two" }, form, list));
  await fill();
  return subscribe("runs", ({ runs }) => list.replaceChildren(h("h2", {}, "Runs"), runs.length ? table(runs) : h("p", { class: "more" }, "None yet. Runs of the command line appear here too.")));

  async function fill() {
    const told = await get(`/learners/${learner.value}`);
    about.textContent = learners.find((one) => one.name === learner.value).title;
    minutes.value = told.minutes ?? "";
    fields = told.settings.map((one) => ({ one, control: control(one) }));
    settings.replaceChildren(...fields.map(({ one, control }) => field(one.name.replaceAll("_", " "), control, one.help)));
  }

  function control(one) {
    if (one.choices.length) return select(one.choices, one.default);
    if (one.type === "bool") return select([{ value: "on", label: "on" }, { value: "off", label: "off" }], one.default ? "on" : "off");
    return h("input", { type: one.type === "str" ? "text" : "number", step: one.type === "int" ? 1 : "any", value: String(one.default), maxlength: 200 });
  }

  async function begin(event) {
    event.preventDefault();
    submit.disabled = true;
    const changed = {};
    for (const { one, control } of fields) {
      const before = one.type === "bool" ? (one.default ? "on" : "off") : String(one.default);
      if (control.value !== before) changed[one.name] = control.value;
    }
    try {
      const run = await post("/runs", { game: game.value, learner: learner.value, settings: changed, minutes: minutes.value ? Number(minutes.value) : null, name: name.value.trim() });
      go(`/train/${run.name}`);
    } catch (error) {
      complain(error.message);
      submit.disabled = false;
    }
  }
}

function table(runs) {
  return h("div", { class: "scroll", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, ["Run", "Learner", "Game", "State", "Steps", "Last step"].map((text) => h("th", {}, text)))),
    h("tbody", {}, runs.map((run) => h("tr", {}, h("td", {}, h("a", { href: `/train/${run.name}` }, run.name)), h("td", {}, run.learner), h("td", {}, run.game), h("td", {}, state(run.state)), h("td", { class: "number" }, steps(run)), h("td", { class: "more" }, run.error || run.words))))));
}

export function state(text) {
  return h("span", { class: `state ${text}` }, text);
}

function steps(run) {
  return run.of ? `${run.steps} / ${run.of}` : String(run.steps);
}

// ---------------------------------------------------------------- one run

async function showRun(holder, name) {
  const head = h("div", { class: "row" });
  const words = h("p", { class: "status", role: "status" });
  const charts = h("div", { class: "charts" });
  const facts = h("details", {}, h("summary", {}, "Settings"));
  const sample = h("div", { class: "mini" });
  let leaveSample = null;
  let sampled = "";
  holder.append(h("p", {}, h("a", { href: "/train" }, "← all runs")), h("h1", {}, name), h("div", { class: "stack" }, h("section", { class: "panel stack", "aria-label": "State" }, head, words), h("section", { class: "panel", "aria-label": "Curves" }, h("h2", {}, "Curves"), charts), h("section", { class: "panel", "aria-label": "Sample game" }, h("h2", {}, "It plays itself"), sample), h("section", { class: "panel" }, facts)));
  render(await get(`/runs/${encodeURIComponent(name)}`));
  const leave = subscribe(`run:${name}`, render);
  return () => { leave(); leaveSample?.(); };

  function render(run) {
    const isRunning = run.state === "running";
    put(head, state(run.state), h("span", {}, `${run.learner} on ${run.game}, ${steps(run)} steps, ${(run.seconds / 60).toFixed(1)} minutes`), h("span", { class: "space" }),
      isRunning ? button([icon("stop"), " Stop"], () => act("stop")) : run.state === "finished" ? null : button([icon("play"), " Resume"], () => act("resume", { minutes: null })),
      run.has_model ? button([icon("play"), " Play it as it is now"], () => play(run)) : null);
    words.textContent = run.error || run.words || (isRunning ? "The first step is under way; kernels may be compiling." : run.log.trim().split("\n").at(-1));
    charts.replaceChildren(...(run.curves.length ? run.curves.map((one) => curve(one.name, one.points)) : [h("p", { class: "more" }, "No step is done yet.")]));
    facts.replaceChildren(h("summary", {}, "Settings"), h("dl", { class: "facts" }, Object.entries(run.settings).map(([key, value]) => [h("dt", {}, key.replaceAll("_", " ")), h("dd", {}, String(value))])));
    if (run.has_model && !sampled) watch(run);
    else if (!run.has_model) sample.replaceChildren(h("p", { class: "more" }, "As soon as there is a first champion."));
  }

  async function act(what, body) {
    try {
      await post(`/runs/${encodeURIComponent(name)}/${what}`, body);
      if (what === "stop") words.textContent = "Stopping after this step …";
    } catch (error) {
      complain(error.message);
    }
  }

  async function play(run) {
    try {
      const board = await post("/boards", { game: run.game, seats: ["human", `run:${name},level=5`] });
      go(`/play/${board.id}`);
    } catch (error) {
      complain(error.message);
    }
  }

  async function watch(run) { // a game of the model, as it is now, against itself
    sampled = "under way";
    sample.replaceChildren(h("p", { class: "more", role: "status" }, "Getting ready …"));
    try {
      const game = await gameInfo(run.game);
      const player = `run:${name},nodes=300,mistakes=0.1`;
      const made = await post("/boards", { game: run.game, seats: Array(game.players).fill(player) });
      if (!game.picture) return;
      const board = new Board(game, {}, { isStatic: true });
      const ending = h("p", { class: "more" });
      const again = button("Another game", () => { leaveSample?.(); sampled = ""; watch(run); });
      again.hidden = true;
      sample.replaceChildren(board.element, ending, again);
      leaveSample = subscribe(`board:${made.id}`, (view) => {
        board.set(view.position);
        ending.textContent = view.ending?.sentence || view.problem || (view.news === "compiling" ? "getting ready …" : `${view.moves.length} moves`);
        again.hidden = !view.ending && !view.problem;
      });
    } catch (error) {
      sample.replaceChildren(h("p", { class: "more" }, error.message));
      sampled = "";
    }
  }
}
