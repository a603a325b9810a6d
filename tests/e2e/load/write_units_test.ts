import { assert } from "@std/assert";
import { total, unitsPerCall } from "../../../bench/writes/purposes.ts";
import { measureWrites, type Traffic } from "../../../bench/writes/traffic.ts";

const traffic: Traffic = {
  ...{ rate: 5, isolates: 1, keys: 1, teams: false, sessions: true, answerMs: 100, latencyMs: 7 },
  ...{ warmUpSeconds: 20, seconds: 60 }, // rollups are written once a minute
};

/** The bounds hold with room: bench/RESULTS.md has the measured figures. */
const bounds = [
  { ...traffic, most: 8.5 },
  { ...traffic, rate: 200, warmUpSeconds: 5, seconds: 20, most: 4 },
];

for (const { most, ...traffic } of bounds) {
  Deno.test(`a call at ${traffic.rate}/s on Deno Deploy's database writes at most ${most} units`, async () => {
    const { writes, calls } = await measureWrites(traffic);
    const units = unitsPerCall(writes, calls);
    assert(total(units) <= most, JSON.stringify({ units, writes }));
  });
}
