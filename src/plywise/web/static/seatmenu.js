// The menu of a person's seat where several play: who has it, and what can be done about it.

import { button, h } from "./dom.js";

// What a menu says and offers: words for the seat, a hint, and pairs of a text and an action.
const CHOICES = {
  you: (acts) => ["you", "The private link opens your seat in another browser, or in this one if it has forgotten you. Whoever has it plays for you.",
    [["Copy private link", acts.copyPrivate], acts.playOnly && ["Play only this seat here", acts.playOnly], ["Give up the seat", acts.free]]],
  free: (acts) => ["free", "", [["Take this seat", acts.take], ["Copy link for somebody else", acts.copy]]],
  here: () => ["taken", "Somebody in another browser has this seat.", []],
  away: (acts) => ["away", "The browser that has this seat does not look at the board now.", acts.free ? [["Free the seat", acts.free]] : []],
};

document.addEventListener("pointerdown", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

export class SeatMenu {
  constructor() {
    this.summary = h("summary", {});
    this.list = h("div", { class: "menu-list" });
    this.element = h("details", { class: "menu" }, this.summary, this.list);
    this.element.hidden = true;
    this.state = "";
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.element.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !this.element.contains(event.relatedTarget)) this.element.open = false;
    });
  }

  close() {
    this.element.open = false;
    this.summary.focus();
  }

  // kind: a name in CHOICES, or null for a seat without a menu
  set(kind, label, acts) {
    const state = [kind, label, ...Object.keys(acts).filter((name) => acts[name])].join();
    if (state === this.state) return; // whoever is in the menu stays there
    this.state = state;
    this.element.hidden = !kind;
    if (!kind) return;
    const [words, hint, choices] = CHOICES[kind](acts);
    this.summary.replaceChildren(words);
    this.summary.setAttribute("aria-label", `${label}: ${words}`);
    this.list.replaceChildren(...choices.filter(Boolean).map(([text, act]) => button(text, () => { this.element.open = false; act(); })), ...(hint ? [h("p", { class: "hint" }, hint)] : []));
  }
}
