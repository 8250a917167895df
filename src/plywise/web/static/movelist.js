// The moves of a game as a list to click in, with numbers where sides alternate. It is one stop of
// the Tab key: the arrow keys go back and on.

import { h } from "./dom.js";

export class MoveList {
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.element = h("div", { class: "moves", role: "group", "aria-label": "Moves", tabindex: "0" });
    this.moves = [];
    this.ply = 0;
  }

  // marks: what a judgement says of some plies, as {ply: {kind, title}}
  set(moves, ply, { alternates = true, marks = {} } = {}) {
    this.moves = moves;
    this.ply = ply;
    const parts = [];
    moves.forEach((text, at) => {
      if (!alternates || at % 2 === 0) parts.push(h("span", { class: "number" }, `${alternates ? at / 2 + 1 : at + 1}.`));
      const mark = marks[at + 1];
      parts.push(h("button", { type: "button", class: `move ${at + 1 === ply ? "here" : ""} ${mark?.kind ?? ""}`, title: mark?.title, tabindex: "-1", "aria-current": at + 1 === ply ? "true" : null, onclick: () => this.onSelect(at + 1) }, text, mark ? h("span", { class: "glyph" }, mark.sign) : null));
      if (alternates && at === moves.length - 1 && at % 2 === 0) parts.push(h("span", {}));
    });
    this.element.classList.toggle("single", !alternates);
    if (!moves.length) parts.push(h("span", { class: "more" }, "No moves yet."));
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(...parts);
    const here = this.element.querySelector(".here");
    if (hadFocus) (here ?? this.element).focus();
    if (here) this.element.scrollTop = here.offsetTop - this.element.clientHeight / 2;
  }
}

// Keys that go back and forth in a game, unless somebody is typing.
export function onKeys(actions) {
  const hear = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.target.closest?.(".board, [role=dialog]")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}
