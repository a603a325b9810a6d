import { nowMs } from "../people.ts";

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** When a call of that age began, and an id that says the same. */
export function callIdAt(ageMs: number, number: number): { id: string; atMs: number } {
  const atMs = nowMs - ageMs;
  let time = "";
  for (let rest = atMs; time.length < 10; rest = Math.floor(rest / 32)) {
    time = digits[rest % 32] + time;
  }
  return { id: `req_${time}${String(number).padStart(16, "0")}`, atMs };
}
