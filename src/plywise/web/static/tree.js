// A tree of variations: nodes with a move's text, the first child is the main line.

import { h } from "./dom.js";

export class Node {
  constructor(text = "", parent = null) {
    this.text = text;
    this.parent = parent;
    this.children = [];
    this.position = null;
    this.ply = parent ? parent.ply + 1 : 0;
  }

  get moves() { // from the start to here
    const found = [];
    for (let node = this; node.parent; node = node.parent) found.unshift(node.text);
    return found;
  }

  child(text) {
    let found = this.children.find((one) => one.text === text);
    if (!found) {
      found = new Node(text, this);
      this.children.push(found);
    }
    return found;
  }

  add(moves) {
    return moves.reduce((node, text) => node.child(text), this);
  }

  get mainLine() { // from here to the end
    const found = [];
    for (let node = this.children[0]; node; node = node.children[0]) found.push(node);
    return found;
  }

  at(ply) { // on the line through this node, back to its start and on to its end
    let node = this;
    while (node.ply > ply && node.parent) node = node.parent;
    while (node.ply < ply && node.children.length) node = node.children[0];
    return node;
  }

  promote() { // make the line to here the main one
    for (let node = this; node.parent; node = node.parent) {
      const { children } = node.parent;
      children.splice(children.indexOf(node), 1);
      children.unshift(node);
    }
  }

  remove() {
    const { children } = this.parent;
    children.splice(children.indexOf(this), 1);
    return this.parent;
  }
}

export class TreeView {
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.element = h("div", { class: "tree", role: "group", "aria-label": "Moves and variations", tabindex: "0" });
  }

  // marks: Map of nodes to {kind, sign, title}
  set(root, current, { alternates = true, marks = new Map() } = {}) {
    const write = (node, holder, isFirst) => {
      let isNumbered = isFirst;
      while (node.children.length) {
        const [main, ...others] = node.children;
        holder.append(move(main, isNumbered));
        isNumbered = false;
        for (const other of others) {
          const variation = h("span", { class: "variation" }, move(other, true));
          write(other, variation, false);
          holder.append(variation);
          isNumbered = true;
        }
        node = main;
      }
    };
    const move = (node, isNumbered) => {
      const at = node.ply - 1;
      const number = alternates ? (at % 2 === 0 ? `${at / 2 + 1}.` : isNumbered ? `${(at - 1) / 2 + 1}…` : "") : `${at + 1}.`;
      const mark = marks.get(node);
      return h("span", { class: "numbered" }, number ? h("span", { class: "number" }, `${number} `) : null,
        h("button", { type: "button", class: `move ${node === current ? "here" : ""} ${mark?.kind ?? ""}`, title: mark?.title, "aria-current": node === current ? "true" : null, onclick: () => this.onSelect(node) }, node.text, mark ? h("span", { class: "glyph" }, mark.sign) : null), " ");
    };
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren();
    write(root, this.element, true);
    if (!root.children.length) this.element.append(h("span", { class: "more" }, "Play on the board, or import a game."));
    const here = this.element.querySelector(".here");
    if (hadFocus) (here ?? this.element).focus();
    if (here) this.element.scrollTop = here.offsetTop - this.element.clientHeight / 2;
  }
}
