// The page's one WebSocket. It comes back by itself, and then hears of the same things again.

const listeners = new Map(); // topic: functions
const joined = new Map(); // topic: what joins it
let socket = null;
let waiting = [];
let delay = 250;
let number = 0;

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/socket`);
  socket.addEventListener("open", () => {
    delay = 250;
    document.documentElement.classList.remove("offline");
    for (const message of joined.values()) socket.send(message);
    for (const text of waiting) socket.send(text);
    waiting = [];
  });
  socket.addEventListener("message", (event) => {
    const { on, data } = JSON.parse(event.data);
    for (const listener of [...(listeners.get(on) ?? [])]) listener(data);
  });
  socket.addEventListener("close", () => {
    socket = null;
    if (!joined.size && !waiting.length) return;
    document.documentElement.classList.add("offline");
    setTimeout(() => socket ?? connect(), delay);
    delay = Math.min(delay * 2, 5000);
  });
}

function say(message) {
  const text = JSON.stringify(message);
  if (socket?.readyState === WebSocket.OPEN) socket.send(text);
  else {
    waiting.push(text);
    socket ?? connect();
  }
}

function listen(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
}

function forget(topic, listener) {
  listeners.get(topic)?.delete(listener);
  if (!listeners.get(topic)?.size) {
    listeners.delete(topic);
    return true;
  }
  return false;
}

// Hear of a board, a run, a contest; call what is returned to hear no more. A key shows a board who looks.
export function subscribe(topic, listener, key) {
  listen(topic, listener);
  if (!joined.has(topic)) {
    joined.set(topic, JSON.stringify({ join: topic, key }));
    if (socket?.readyState === WebSocket.OPEN) socket.send(joined.get(topic));
    else socket ?? connect();
  }
  return () => {
    if (!forget(topic, listener)) return;
    joined.delete(topic);
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ leave: topic }));
  };
}

// Have something searched; `listener` hears of every step. Call what is returned to stop it.
export function search(task, form, listener) {
  const name = `${task}:${++number}`;
  let isOver = false;
  const hear = (data) => {
    if (data.is_over) {
      isOver = true;
      forget(name, hear);
    }
    listener(data);
  };
  listen(name, hear);
  say({ [task]: form, as: name });
  return () => {
    if (isOver) return;
    isOver = true;
    forget(name, hear);
    say({ cancel: name });
  };
}
