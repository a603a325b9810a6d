/**
 * Asks for `/healthz` again and again. For each line on its standard input it says the longest answer
 * since the last one, in milliseconds: as it was, and without the time in which the gateway or this
 * process could have run and other programs had the processors (Linux counts that).
 */
const [base, pid] = Deno.args;
let longestMs = 0;
let longestOwnMs = 0;

async function look(): Promise<void> {
  for (;;) {
    const end = begin();
    const timer = setInterval(end, 25);
    const response = await fetch(`${base}/healthz`);
    await response.body?.cancel();
    clearInterval(timer);
    end();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Starts timing a response; the returned function records the time so far. */
function begin(): () => void {
  const startedAt = performance.now();
  const waitedMs = waitedSoFarMs();
  return () => {
    const tookMs = performance.now() - startedAt;
    longestMs = Math.max(longestMs, tookMs);
    longestOwnMs = Math.max(longestOwnMs, tookMs - (waitedSoFarMs() - waitedMs));
  };
}

/** The time that the gateway's main thread and this one have waited for a processor. */
function waitedSoFarMs(): number {
  return [pid, Deno.pid].map((process) => {
    const counts = Deno.readTextFileSync(`/proc/${process}/task/${process}/schedstat`);
    return Number(counts.split(" ")[1]) / 1e6;
  }).reduce((sum, ms) => sum + ms);
}

void look();
for await (const _ of Deno.stdin.readable) {
  console.log(`${longestMs.toFixed()} ${longestOwnMs.toFixed()}`);
  longestMs = longestOwnMs = 0;
}
Deno.exit(0);
