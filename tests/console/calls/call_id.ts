import { nowMs } from "../people.ts";

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The start of a call of that age, and an id with the same time. */
export function callIdAt(ageMs: number, number: number): { id: string; atMs: number } {
  const atMs = nowMs - ageMs;
  let time = "";
  for (let rest = atMs; time.length < 10; rest = Math.floor(rest / 32)) {
    time = digits[rest % 32] + time;
  }
  return { id: `req_${time}${String(number).padStart(16, "0")}`, atMs };
}
