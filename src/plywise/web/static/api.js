// Requests to the server. What is wrong comes back as one sentence.

// What this browser's seats are taken with; only the server of this page is told.
function key() {
  let kept = localStorage.getItem("key");
  if (!kept) {
    kept = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem("key", kept);
  }
  return kept;
}

async function request(method, path, body) {
  let response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: { "plywise-key": key(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("The server does not answer.");
  }
  const answer = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? `The server answered ${response.status}.`), { status: response.status });
  return answer;
}

export const get = (path) => request("GET", path);
export const post = (path, body = {}) => request("POST", path, body);

const games = new Map();

// All that is known of a game; asked for once.
export function gameInfo(name) {
  if (!games.has(name)) {
    games.set(name, get(`/games/${encodeURIComponent(name)}`).catch((error) => { games.delete(name); throw error; }));
  }
  return games.get(name);
}

let list = null;
export function gameList() {
  list ??= get("/games").catch((error) => { list = null; throw error; });
  return list;
}
