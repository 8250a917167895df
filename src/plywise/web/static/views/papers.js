// Papers: what was measured, ours beside theirs, and the strength of each game's models.

import { h } from "../dom.js";
import { gameList, get } from "../api.js";

export async function show(holder, parts) {
  const documents = await get("/documents");
  const games = await gameList();
  const reports = await get("/reports");
  const isStrength = parts[0] === "strength";
  const chosen = parts[1] ?? (isStrength ? games[0].name : documents[0]?.name);
  const link = (href, text, isHere) => h("li", {}, h("a", { href, "aria-current": isHere ? "page" : null }, text));
  const list = h("details", { class: "panel contents", open: !matchMedia("(max-width: 60rem)").matches }, h("summary", {}, h("h2", {}, "Papers and methods")), h("ul", { class: "paper-list" }, documents.map((one) => link(`/papers/${one.name}`, one.title, !isStrength && one.name === chosen))),
    h("h3", {}, "Reports of reruns"), reports.length ? h("ul", { class: "paper-list" }, reports.map((one) => h("li", {}, h("a", { href: `/reports/${one.name}` }, one.title), h("small", { class: "more" }, ` ${one.name}`)))) : h("p", { class: "more" }, "The programs in ", h("code", {}, "papers"), " write them to ", h("code", {}, "runs/papers"), "."),
    h("h3", {}, "Strength by game"), h("ul", { class: "paper-list" }, games.map((one) => link(`/strength/${one.name}`, one.title, isStrength && one.name === chosen))));
  const page = h("article", { class: "panel document" });
  holder.append(h("div", { class: "two" }, list, page));
  if (isStrength) await strength(page, chosen);
  else if (chosen) await paper(page, chosen);
}

async function paper(page, name) {
  const told = await get(`/documents/${encodeURIComponent(name)}`);
  page.innerHTML = told.html; // our own pages, rendered without any HTML of their own
  if (!page.querySelector("h1")) page.prepend(h("h1", {}, told.title));
}

async function strength(page, game) {
  const told = await get(`/strength/${encodeURIComponent(game)}`);
  page.append(h("h1", {}, `Strength: ${game}`));
  if (!told.models.length) page.append(h("p", {}, "No model ships for this game. Train one, and its report is on its page."));
  for (const model of told.models) page.append(h("h2", {}, model.name), about(model), tests(model));
  for (const [player, known] of Object.entries(told.strengths)) page.append(h("h2", {}, `Levels of ${player}`), levels(known));
  const more = h("div", {});
  more.innerHTML = told.html;
  if (told.html) page.append(h("h2", {}, "In the documents"), more);
}

function levels(known) {
  return h("div", { class: "scroll", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, ["Level", "Elo above random moves", "± 95 %"].map((text) => h("th", { class: "number" }, text)))),
    h("tbody", {}, known.map((one) => h("tr", {}, [one.level, one.elo, one.error].map((value) => h("td", { class: "number" }, String(value))))))));
}

function about(model) {
  return h("p", { class: "more" }, [model.learner && `made by ${model.learner}`, model.evaluator && `evaluator ${model.evaluator}`, model.search && `plays by ${model.search}`, model.chosen].filter(Boolean).join("; "));
}

function tests(model) {
  if (!model.tests) return h("p", {}, "Its card has no measurements.");
  const elo = (one) => one.elo === null ? (one.elo_low !== null ? `above ${one.elo_low.toFixed(0)}` : one.elo_high !== null ? `below ${one.elo_high.toFixed(0)}` : "–") : `${one.elo.toFixed(0)} [${one.elo_low?.toFixed(0) ?? "…"}, ${one.elo_high?.toFixed(0) ?? "…"}]`;
  return h("div", { class: "scroll folding", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Against"), h("th", {}, "Elo [95 %]"), ["Won", "Drawn", "Lost"].map((text) => h("th", { class: "number" }, text)), ["Games", "Depth"].map((text) => h("th", { class: "number wide" }, text)))),
    h("tbody", {}, Object.entries(model.tests).map(([name, one]) => h("tr", {}, h("td", {}, name), h("td", {}, elo(one)), [one.wins, one.draws, one.losses].map((value) => h("td", { class: "number" }, String(value ?? ""))), [one.games, one.depth].map((value) => h("td", { class: "number wide" }, String(value ?? ""))))))));
}
