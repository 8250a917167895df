// Requests to the server. What is wrong comes back as one sentence.

const MOST_KEYS = 1000; // boards by which this browser is known; the oldest go

function keys() {
  try {
    return JSON.parse(localStorage.getItem("keys")) ?? {};
  } catch {
    return {};
  }
}

export function keepKey(board, key) {
  const { [board]: before, ...others } = keys();
  const kept = [...Object.entries(others), [board, key]].slice(-MOST_KEYS);
  localStorage.setItem("keys", JSON.stringify(Object.fromEntries(kept)));
  return key;
}

// What a board knows this browser by, and nobody else may know; only the server of this page is told.
export function keyOf(board) {
  return keys()[board] ?? keepKey(board, Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(""));
}

async function request(method, path, body) {
  const board = path.match(/^\/boards\/([^/]+)/)?.[1];
  let response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: { ...(board ? { "plywise-key": keyOf(board) } : {}), ...(body === undefined ? {} : { "content-type": "application/json" }) },
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
