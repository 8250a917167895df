// Pieces as SVG: discs, crowned discs, numbers of seeds, chessmen, and any other one as its glyph.
// A piece is drawn around 0,0 for a cell whose nearest edge is `room` away.

import { s } from "./dom.js";

const FIGURES = { // on a field of 100 x 100, drawn for this page
  pawn: "M50 18a13 13 0 0 1 8 23l6 2c2 7-4 10-8 12 2 10 8 15 13 20H31c5-5 11-10 13-20-4-2-10-5-8-12l6-2a13 13 0 0 1 8-23zM27 79h46v8H27z",
  rook: "M26 18h12v9h7v-9h10v9h7v-9h12v20l-8 6v27l8 6H26l8-6V44l-8-6zM22 79h56v8H22z",
  knight: "M36 18l7 8c20 1 32 16 32 40v11H33c0-14 6-19 14-26-7 3-12 3-16 8-4 4-10 4-13-2-1-3 2-7 4-11 4-9 6-15 13-19zM27 79h51v8H27z",
  bishop: "M50 12a6 6 0 0 1 4 10c10 7 17 15 16 26 0 8-5 12-9 15l3 14H36l3-14c-4-3-9-7-9-15-1-11 6-19 16-26a6 6 0 0 1 4-10zM25 79h50v8H25z",
  queen: "M14 30a5 5 0 1 1 6 5l11 15 2-24a5 5 0 1 1 6 0l9 21V22a5 5 0 1 1 4 0v25l9-21a5 5 0 1 1 6 0l2 24 11-15a5 5 0 1 1 6-5l-10 36-3 11H27l-3-11zM25 79h50v8H25z",
  king: "M46 9h8v7h7v7h-7v9c3-4 8-6 13-6 11 0 17 8 15 18-2 9-10 15-12 22l-2 9H32l-2-9c-2-7-10-13-12-22-2-10 4-18 15-18 5 0 10 2 13 6v-9h-7v-7h7zM25 79h50v8H25z",
};
const DETAILS = {
  king: "M36 62c9-3 19-3 28 0", queen: "M31 65c12-4 26-4 38 0", bishop: "M42 44h16M50 36v17", rook: "M36 44h28M36 70h28", knight: "M40 37l1 1M53 51c5 6 5 12 3 18",
};

function lightness(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.2126 * r ** 2 + 0.7152 * g ** 2 + 0.0722 * b ** 2;
}

export function drawPiece(picture, code, room) {
  const piece = picture.pieces[code] ?? { glyph: "?", kind: "unknown", owner: code < 0 ? 1 : 0 };
  const colour = picture.owners[piece.owner] ?? "#888888";
  const isLight = lightness(colour) > 0.35;
  const edge = isLight ? "#3b3b3b" : "#e8e6e3";
  const group = s("g", { class: "piece", "data-owner": piece.owner });
  if (piece.kind === "count") return count(group, code, colour, isLight, room);
  if (piece.kind === "disc" || piece.kind === "crowned") return disc(group, piece, colour, edge, isLight, room);
  if (FIGURES[piece.kind]) return figure(group, piece, colour, isLight, room);
  const size = 1.5 * room;
  group.append(s("text", { class: "glyph", "font-size": size, fill: colour, stroke: isLight ? "#222" : "#f4f2ee", "stroke-width": 0.1 * room, "text-anchor": "middle", dy: "0.36em" }, piece.glyph));
  return group;
}

function disc(group, piece, colour, edge, isLight, room) {
  const radius = 0.8 * room;
  const ring = isLight ? "#0000002e" : "#ffffff3d";
  group.append(
    s("circle", { cy: 0.07 * room, r: radius, fill: "#00000045" }),
    s("circle", { r: radius, fill: colour, stroke: isLight ? "#00000080" : "#00000090", "stroke-width": 0.04 * room }),
  );
  // Owners differ by their rings too, not by colour alone.
  if (piece.owner % 2 === 0) group.append(s("circle", { r: 0.6 * radius, fill: "none", stroke: ring, "stroke-width": 0.07 * room }));
  else group.append(
    s("circle", { r: 0.72 * radius, fill: "none", stroke: ring, "stroke-width": 0.06 * room }),
    s("circle", { r: 0.42 * radius, fill: "none", stroke: ring, "stroke-width": 0.06 * room }),
  );
  if (piece.owner > 1) group.append(mark(piece.owner, edge, radius));
  if (piece.kind === "crowned") {
    const crown = s("path", { d: "M-5 3.4h10l1.2-7-3.2 2.4L0-5.4l-3 4.2-3.2-2.4z", fill: "#e2b33c", stroke: "#4a3506", "stroke-width": 0.7, "stroke-linejoin": "round", transform: `scale(${0.085 * radius})` });
    group.append(crown);
  }
  return group;
}

function mark(owner, colour, radius) {
  return s("text", { class: "glyph", "font-size": 0.7 * radius, fill: colour, "text-anchor": "middle", dy: "0.36em" }, String(owner + 1));
}

function figure(group, piece, colour, isLight, room) {
  const scale = (1.86 * room) / 100;
  const inner = s("g", { transform: `scale(${scale}) translate(-50 -52)` },
    s("path", { d: FIGURES[piece.kind], fill: colour, stroke: isLight ? "#1f1f1f" : "#f2efe9", "stroke-width": isLight ? 3.4 : 2.6, "stroke-linejoin": "round" }),
    DETAILS[piece.kind] ? s("path", { d: DETAILS[piece.kind], fill: "none", stroke: isLight ? "#1f1f1f" : "#f2efe9", "stroke-width": 3, "stroke-linecap": "round" }) : null,
  );
  group.append(inner);
  return group;
}

function count(group, code, colour, isLight, room) {
  const number = Math.abs(code);
  const radius = 0.15 * room;
  for (let seed = 0; seed < Math.min(number, 14); seed++) { // a sunflower's order fills any pit
    const angle = seed * 2.39996, far = 0.2 * room * Math.sqrt(seed + 0.4);
    group.append(s("circle", { cx: far * Math.cos(angle), cy: far * Math.sin(angle) - 0.12 * room, r: radius, fill: colour, stroke: "#0007", "stroke-width": 0.03 * room }));
  }
  group.append(s("text", { class: "glyph number", "font-size": 0.46 * room, y: 0.86 * room, "text-anchor": "middle", fill: "#fff", stroke: "#000a", "stroke-width": 0.09 * room }, String(number)));
  return group;
}

const WORDS = { disc: "piece", crowned: "king" };

// What a screen reader says of a code.
export function pieceWords(picture, code, names) {
  const piece = picture.pieces[code];
  if (picture.has_counts) return `${names[piece?.owner ?? 0] ?? ""} ${Math.abs(code)}`.trim();
  if (!code || !piece) return "empty";
  const kind = WORDS[piece.kind] ?? piece.kind.replace(/^kind \d+$/, piece.glyph);
  const name = names[piece.owner] ?? `player ${piece.owner + 1}`;
  return kind === name ? name : `${name} ${kind}`; // a side that is called as it is drawn: x
}
