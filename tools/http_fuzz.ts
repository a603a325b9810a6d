import { fuzz } from "../tests/upstreams/http1/fuzz.ts";

/**
 * `deno task fuzz:http [ANSWERS] [SEED]`: gives the same answers of a raw peer, whole, cut and broken
 * at every byte, to our HTTP/1.1 client and to `fetch`, and compares what they make of them.
 */
const count = Number(Deno.args[0] ?? 20_000);
const seed = Number(Deno.args[1] ?? 1);
const { answers, allowed, differences } = await fuzz({
  count,
  seed,
  onProgress: (done) => console.error(`${done} of ${count}`),
});
console.log(JSON.stringify({ answers, seed, allowed }, null, 2));
for (const difference of differences) console.log(JSON.stringify(difference));
if (differences.length > 0) Deno.exit(1);
