const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeChars = 10;
const randomChars = 16;

/** A new request id: `req_` and a ULID (github.com/ulid/spec), so that ids sort by time. */
export function newRequestId(atMs: number): string {
  return `req_${newUlid(atMs)}`;
}

/** 48 bits of milliseconds and 80 random bits in Crockford's base 32. */
function newUlid(atMs: number): string {
  let time = "";
  for (let rest = atMs, n = 0; n < timeChars; n++) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(randomChars))) {
    random += alphabet[byte % 32];
  }
  return time + random;
}
