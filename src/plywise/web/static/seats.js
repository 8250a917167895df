// Choosing a player: a person, a model with its levels, a search, a run, an engine, or any text.

import { h, select } from "./dom.js";
import { get } from "./api.js";

// The players of a game as groups of options.
export async function playerGroups(game, { hasPeople = true } = {}) {
  const { runs } = await get("/runs");
  const own = runs.filter((run) => run.game === game.name && run.has_model);
  const best = game.opponent.includes("/") || game.opponent.includes("\\") ? null : game.opponent;
  const models = game.models.filter((model) => !model.error).map((model) => ({ value: model.name, label: model.learner && model.learner !== model.name ? `${model.name} (${model.learner})` : model.name }));
  const groups = [];
  if (hasPeople) groups.push({ label: "People", options: [{ value: "human", label: "Person" }] });
  if (models.length) groups.push({ label: "Models", options: models });
  if (own.length) groups.push({ label: "Your runs", options: own.map((run) => ({ value: `run:${run.name}`, label: `${run.name} (${run.state})` })) });
  groups.push({ label: "Searches", options: [{ value: "alphabeta", label: "alpha-beta" }, { value: "mcts", label: "Monte-Carlo tree search" }, { value: "random", label: "random moves" }] });
  if (game.engines?.length) groups.push({ label: "Engines", options: game.engines.map((name) => ({ value: name, label: name.replace("engine:", "") })) });
  groups.push({ label: "Others", options: [{ value: "other", label: "by its text …" }] });
  return { groups, best: best && (models.some((one) => one.value === best) || ["alphabeta", "mcts"].includes(best)) ? best : "alphabeta", strengths: game.strengths };
}

const LEVELS = Array.from({ length: 10 }, (_, at) => at + 1);
const BUDGETS = [{ value: "seconds=0.1", label: "0.1 s a move" }, { value: "seconds=3", label: "3 s a move" }, { value: "seconds=10", label: "10 s a move" }];

// The levels with their Elo where it was measured, and budgets.
function strengthOptions(measured = []) {
  const elo = new Map(measured.map((one) => [one.level, ` · ${one.elo} Elo`]));
  return [...LEVELS.map((level) => ({ value: `level=${level}`, label: `level ${level}${elo.get(level) ?? ""}` })), ...BUDGETS];
}

export class SeatPicker {
  constructor(label, { groups, best, strengths = {} }, { isPerson = false, strength = "level=3", value } = {}) {
    this.strengths = strengths;
    this.kind = select(groups, isPerson ? "human" : best, { "aria-label": `${label}: player` });
    this.strength = select(strengthOptions(), strength, { "aria-label": `${label}: strength` });
    this.text = h("input", { type: "text", "aria-label": `${label}: text of the player`, placeholder: "alphabeta,depth=6", maxlength: 200, autocomplete: "off" });
    this.measure = h("small", { class: "hint" });
    this.element = h("div", { class: "seat-picker" }, this.kind, this.strength, this.text, this.measure);
    this.kind.addEventListener("change", () => this.show());
    this.strength.addEventListener("change", () => this.show());
    if (value) this.set(value);
    this.show();
  }

  get isPerson() {
    return this.kind.value === "human";
  }

  get value() {
    const kind = this.kind.value;
    if (kind === "other") return this.text.value.trim() || "random";
    if (kind === "human" || kind === "random") return kind;
    return `${kind},${this.strength.value}`.replace(/^(engine:[^,]*),level=.*/, "$1,seconds=1");
  }

  set(value) {
    const [kind, ...options] = value.split(",");
    const known = [...this.kind.options].some((option) => option.value === kind);
    const strength = options.join(",");
    if (known && (!strength || [...this.strength.options].some((option) => option.value === strength))) {
      this.kind.value = kind;
      if (strength) this.strength.value = strength;
    } else {
      this.kind.value = "other";
      this.text.value = value;
    }
    this.show();
  }

  show() {
    const kind = this.kind.value;
    this.text.hidden = kind !== "other";
    this.strength.hidden = ["human", "random", "other"].includes(kind);
    this.showMeasured(this.strength.hidden ? [] : this.strengths[kind] ?? []);
  }

  showMeasured(measured) {
    const chosen = this.strength.value;
    strengthOptions(measured).forEach((one, at) => { this.strength.options[at].label = one.label; });
    const known = measured.find((one) => chosen === `level=${one.level}`);
    this.measure.textContent = known ? `${known.elo} ± ${known.error} Elo above random moves, measured` : "";
  }
}
