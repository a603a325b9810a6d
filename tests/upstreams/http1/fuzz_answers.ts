/** A generator of answers: valid ones, each cut and broken at every byte. Deterministic. */

type Random = () => number;

/** Mulberry32: a small generator that is the same on every machine. */
function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)];
}

/** An answer, one character for each byte. */
export interface FuzzAnswer {
  readonly text: string;
  /** True if the peer closes the connection after it; only whole answers can be followed by others. */
  readonly closes: boolean;
}

const statuses = [
  "200 OK",
  "200 ",
  "200",
  "429 Too Many",
  "500 Err\xf6r",
  "204 No",
  "304 Not",
  "299 x",
];
const interims = ["100 Continue", "103 Early Hints", "102 P"];
const names = [
  "content-type",
  "X-Request-Id",
  "set-cookie",
  "retry-after",
  "x-~!#$%&'*+^_`|a",
  "Date",
];
const values = [
  "",
  "a",
  "application/json",
  "text/event-stream; charset=utf-8",
  "a\tb",
  "\xe9\xff",
  "1, 2",
];
const blanks = ["", " ", "  ", "\t"];
const pieces = [
  "",
  "a",
  "hello",
  "\r\n",
  "0\r\n\r\n",
  '{"a":1}',
  "data: x\n\n",
  "\0\xff",
  "x".repeat(40),
];

function fields(random: Random, most: number): string {
  const line = () =>
    `${pick(random, names)}:${pick(random, blanks)}${pick(random, values)}${
      pick(random, blanks)
    }\r\n`;
  return Array.from({ length: Math.floor(random() * (most + 1)) }, line).join("");
}

function chunksOf(random: Random): string {
  let text = "";
  for (let count = Math.floor(random() * 4); count > 0; count--) {
    const payload = pick(random, pieces.slice(1));
    const digits = pick(random, [
      payload.length.toString(16),
      `0${payload.length.toString(16).toUpperCase()}`,
    ]);
    text += `${digits}${pick(random, ["", "", "", " ", ";a=b", ";a"])}\r\n${payload}\r\n`;
  }
  const trailers = random() < 0.3 ? fields(random, 2) : "";
  return `${text}${pick(random, ["0", "0", "000"])}\r\n${trailers}\r\n`;
}

/** A valid answer. */
function baseAnswer(random: Random): FuzzAnswer {
  const version = random() < 0.1 ? "HTTP/1.0" : "HTTP/1.1";
  const interim = random() < 0.15
    ? `HTTP/1.1 ${pick(random, interims)}\r\n${fields(random, 1)}\r\n`
    : "";
  const start = `${interim}${version} ${pick(random, statuses)}\r\n${fields(random, 3)}`;
  const connection = pick(random, [
    "",
    "",
    "",
    "Connection: close\r\n",
    "connection: keep-alive\r\n",
  ]);
  const hasBody = !/ (204|304)/.test(start);
  const way = random();
  if (way < 0.4 && version === "HTTP/1.1") {
    const text = `${start}${connection}Transfer-Encoding: chunked\r\n\r\n`;
    return { text: hasBody ? text + chunksOf(random) : text, closes: false };
  }
  const body = hasBody ? pick(random, pieces) + pick(random, pieces) : "";
  if (way < 0.85) {
    const text = `${start}${connection}content-length: ${body.length}\r\n\r\n${body}`;
    return { text, closes: version === "HTTP/1.0" || connection.includes("close") };
  }
  return { text: `${start}${connection}\r\n${body}`, closes: hasBody || version === "HTTP/1.0" };
}

const breaking = [..."\r\n \t:;,0159afxX-+\0\x7f\x80\xff", "\r\n", "\r\n\r\n", "0\r\n\r\n"];

/** Everything that is done to a valid answer at one place. */
const changes: readonly ((text: string, at: number, random: Random) => string)[] = [
  (text, at) => text.slice(0, at),
  (text, at, random) => text.slice(0, at) + pick(random, breaking) + text.slice(at + 1),
  (text, at, random) => text.slice(0, at) + pick(random, breaking) + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at + 1) + text.slice(at),
];

const inserted = [
  "content-length: 5\r\n",
  "Content-Length: 0\r\n",
  "transfer-encoding: chunked\r\n",
  "Transfer-Encoding: gzip\r\n",
  "connection: close\r\n",
  " folded\r\n",
  "content-length: 1, 1\r\n",
];

/** Each seed's valid answer, then its broken ones, until `count` answers. */
export function* fuzzAnswers(count: number, seed: number): Generator<FuzzAnswer> {
  let made = 0;
  for (let base = seed;; base++) {
    const random = seeded(base);
    const valid = baseAnswer(random);
    for (const answer of [valid, ...brokenOf(valid, random)]) {
      if (made++ >= count) return;
      yield answer;
    }
  }
}

function* brokenOf({ text }: FuzzAnswer, random: Random): Generator<FuzzAnswer> {
  for (const change of changes) {
    for (let at = 0; at < text.length; at++) yield { text: change(text, at, random), closes: true };
  }
  const lines = text.indexOf("\r\n") + 2;
  for (const field of inserted) {
    yield { text: text.slice(0, lines) + field + text.slice(lines), closes: true };
  }
}
