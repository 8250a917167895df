// Elements, the few that every view makes.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name in element && ["value", "checked", "selected", "disabled", "textContent"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Put new children in the place of the old ones; what is null is left out.
export function put(element, ...children) {
  element.replaceChildren();
  return fill(element, {}, children);
}

let labels = 0;

// A form's row: a label above what it labels.
export function field(text, control, hint) {
  control.id ||= `field-${++labels}`;
  return h("div", { class: "field" }, h("label", { for: control.id }, text), control, hint ? h("small", {}, hint) : null);
}

export function select(options, value, attributes = {}) {
  const made = h("select", attributes, options.map((one) => Array.isArray(one.options)
    ? h("optgroup", { label: one.label }, one.options.map(option))
    : option(one)));
  if (value !== undefined) made.value = value;
  return made;

  function option(one) {
    return h("option", { value: one.value ?? one }, one.label ?? one);
  }
}

export function button(text, action, attributes = {}) {
  return h("button", { type: "button", onclick: action, ...attributes }, text);
}

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z", back: "M17 5l-9 7 9 7z", forth: "M7 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M7 4v13m0 0l-3-3m3 3l3-3M17 20V7m0 0l-3 3m3-3l3 3", undo: "M9 7l-5 5 5 5M4 12h10a5 5 0 0 1 0 10h-3",
  flag: "M6 21V4m0 1c4-3 8 3 12 0v8c-4 3-8-3-12 0", play: "M7 4l13 8-13 8z", stop: "M6 6h12v12H6z",
  chart: "M4 20V4m0 16h16M8 16l4-5 3 3 5-7", link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.5 1.5m11 11L19 19M19 5l-1.5 1.5m-11 11L5 19",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z", swap: "M4 9h14m0 0l-4-4m4 4l-4 4M20 16H6m0 0l4-4m-4 4l4 4",
  plus: "M12 5v14M5 12h14", minus: "M5 12h14", eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};

export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" }, s("path", { d: ICONS[name] }));
}

export function iconButton(name, label, action, attributes = {}) {
  return h("button", { type: "button", class: "icon-button", title: label, "aria-label": label, onclick: action, ...attributes }, icon(name));
}

export function announce(text) {
  const region = document.getElementById("live");
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = text; });
}

let toastTimer = 0;

function showToast(text, role, milliseconds) {
  const box = document.getElementById("toast");
  box.setAttribute("role", role);
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.hidden = true; }, milliseconds);
}

export const complain = (text) => showToast(text, "alert", 6000);
export const note = (text) => showToast(text, "status", 2500);

// Put a text on the clipboard, and say so. Pages that come from another machine without HTTPS have the old way only.
export async function copy(text, told) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "unseen", value: text });
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    if (!isCopied) return complain(text);
  }
  note(told);
}

// A player's text as people read it.
export function playerName(text) {
  if (text === "human") return "Person";
  const run = text.match(/(?:^|[/\\])([^/\\]+)[/\\](?:model|played[/\\]\d+)\.safetensors(.*)$/);
  const short = run ? `run:${run[1]}${run[2]}` : text;
  const [name, ...options] = short.split(",");
  const level = options.find((one) => one.startsWith("level="));
  const others = options.filter((one) => one !== level).map((one) => one.replace("=", " "));
  return [name + (level ? ` · level ${level.slice(6)}` : ""), ...others].join(", ");
}
