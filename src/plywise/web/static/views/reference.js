// The API: every request from its own description.

import { h } from "../dom.js";

export async function show(holder) {
  const described = await (await fetch("/api/openapi.json")).json();
  const groups = new Map();
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, one] of Object.entries(methods)) {
      const tag = one.tags?.[0] ?? "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push({ path, method, one });
    }
  }
  const body = (one) => {
    const reference = one.requestBody?.content?.["application/json"]?.schema?.$ref?.split("/").at(-1);
    const form = reference && described.components.schemas[reference];
    if (!form) return null;
    return h("details", {}, h("summary", {}, `Body: ${reference}`), h("p", { class: "more" }, form.description ?? ""), h("dl", { class: "facts" }, Object.entries(form.properties ?? {}).map(([name, property]) => [h("dt", {}, h("code", {}, name)), h("dd", {}, [property.type ?? property.anyOf?.map((any) => any.type ?? any.$ref?.split("/").at(-1)).join(" or "), form.required?.includes(name) ? "required" : `default ${JSON.stringify(property.default ?? null)}`, property.description].filter(Boolean).join("; "))])));
  };
  holder.append(h("h1", {}, "API"), h("div", { class: "stack document" },
    h("section", { class: "panel" }, h("p", {}, "Everything on these pages is done by this API, and other programs can use it too. Its description as OpenAPI: ", h("a", { href: "/api/openapi.json" }, "/api/openapi.json"), "."), h("p", {}, "What is wrong is answered with one sentence: ", h("code", {}, '{"error": "…"}'), ". News of boards, runs and contests come over the WebSocket ", h("code", {}, "/socket"), ": send ", h("code", {}, '{"join": "board:ID"}'), ".")),
    [...groups].map(([tag, all]) => h("section", { class: "panel", "aria-label": tag }, h("h2", {}, tag), all.map(({ path, method, one }) => h("div", {}, h("p", {}, h("span", { class: `method ${method}` }, method.toUpperCase()), " ", h("code", {}, path), ` ${one.description ?? one.summary}`), body(one)))))));
}
