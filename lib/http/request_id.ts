const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeChars = 10;
const randomPairs = 8;
/** Every pair of characters. */
const pairs = [...alphabet].flatMap((first) => [...alphabet].map((second) => first + second));

/** A new request id: `req_` and a ULID (github.com/ulid/spec), so that ids sort by time. */
export function newRequestId(atMs: number): string {
  return `req_${newUlid(atMs)}`;
}

/** 48 bits of milliseconds and 80 random bits in Crockford's base 32. */
function newUlid(atMs: number): string {
  let random = "";
  for (let n = 0; n < randomPairs; n++) random += pairs[nextRandom() % pairs.length];
  return timeText(atMs) + random;
}

/** The time of the last id: many ids share it. */
const last = { atMs: NaN, text: "" };

function timeText(atMs: number): string {
  if (atMs === last.atMs) return last.text;
  let time = "";
  for (let rest = atMs, n = 0; n < timeChars; n++) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  Object.assign(last, { atMs, text: time });
  return time;
}

/** Random numbers, drawn for many ids at once. */
const pool = new Uint16Array(4_096);
let used = pool.length;

function nextRandom(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  return pool[used++];
}
