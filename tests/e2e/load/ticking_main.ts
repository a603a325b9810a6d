import { run } from "../../../lib/serve.ts";
import { compose } from "../../../main.ts";

/**
 * The gateway, which also writes each long stretch of its main thread without a turn of the event
 * loop to its standard output, in milliseconds of processor time: a busy machine does not lengthen
 * it, and garbage collections on that thread do.
 */

const notableMs = 5;

function cpuMs(): number {
  const counts = Deno.readTextFileSync(`/proc/${Deno.pid}/task/${Deno.pid}/schedstat`);
  return Number(counts.split(" ")[0]) / 1e6;
}

let before = cpuMs();
setInterval(() => {
  const now = cpuMs();
  if (now - before >= notableMs) console.log(`stretch ${(now - before).toFixed(1)}`);
  before = cpuMs();
}, 1);

await run(() => compose());
