// The page: which view an address shows, the bar above it, and the colours.

import { h, icon, complain } from "./dom.js";

const VIEWS = { play: "play", analysis: "analysis", train: "train", arena: "arena", papers: "papers", strength: "papers", api: "reference" };
const BAR = [["/", "Play"], ["/analysis", "Analysis"], ["/train", "Train"], ["/arena", "Arena"], ["/papers", "Papers"], ["/api", "API"]];
const main = document.getElementById("main");
let leave = null;
let visit = 0;

function bar() {
  const nav = document.querySelector("nav");
  nav.append(...BAR.map(([href, text]) => h("a", { href }, text)));
  const theme = h("button", { type: "button", class: "icon-button theme", onclick: switchTheme });
  document.querySelector("header").append(theme);
  showTheme();

  function switchTheme() {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("theme", next);
    showTheme();
  }

  function showTheme() {
    const isDark = document.documentElement.dataset.theme === "dark";
    const label = isDark ? "Light colours" : "Dark colours";
    theme.replaceChildren(icon(isDark ? "sun" : "moon"));
    theme.title = label;
    theme.setAttribute("aria-label", label);
  }
}

async function show() {
  const mine = ++visit;
  leave?.();
  leave = null;
  const parts = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const first = parts[0] ?? "play";
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = link.pathname === `/${first === "play" ? "" : first === "strength" ? "papers" : first}`;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  main.replaceChildren(h("p", { class: "waiting", role: "status" }, "One moment …"));
  try {
    const view = await import(`/static/views/${VIEWS[first] ?? "play"}.js`);
    if (mine !== visit) return;
    const holder = h("div", { class: `view ${VIEWS[first]}` });
    const left = await view.show(holder, parts, new URLSearchParams(location.search));
    if (mine !== visit) {
      left?.();
      return;
    }
    leave = left ?? null;
    main.replaceChildren(holder);
    document.title = [holder.querySelector("h1")?.textContent, "Plywise"].filter(Boolean).join(" · ");
    main.dataset.ready = location.pathname;
  } catch (error) {
    if (mine !== visit) return;
    main.replaceChildren(h("div", { class: "view" }, h("h1", {}, "That did not work"), h("p", {}, error.message), h("p", {}, h("a", { href: "/" }, "Back to the first page"))));
    complain(error.message);
  }
}

export function go(address) {
  history.pushState(null, "", address);
  delete main.dataset.ready;
  show().then(() => scrollTo(0, 0));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || /^\/(static|reports)\//.test(link.pathname) || link.pathname.endsWith(".json") || link.hasAttribute("download")) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", show);
bar();
show();
