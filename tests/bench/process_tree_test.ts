import { assert, assertEquals } from "@std/assert";
import { cpuMicrosOf, processTree, residentBytesOf } from "../../bench/process_tree.ts";

const burnMs = 300;

Deno.test("process tree: CPU time includes other threads and child processes", async () => {
  const inner = `const end = performance.now() + ${burnMs}; while (performance.now() < end);`;
  const worker = `const busy = new Worker("data:text/javascript," + encodeURIComponent(
    ${JSON.stringify(`${inner} postMessage(0)`)}), { type: "module" });
    await new Promise((resolve) => busy.onmessage = resolve);`;
  const program = `${inner} ${worker}
    new Deno.Command(Deno.execPath(), { args: ["eval", ${JSON.stringify(inner)}] }).outputSync();
    console.log("done"); await Deno.stdin.read(new Uint8Array(1)); Deno.exit();`;
  const process = new Deno.Command(Deno.execPath(), {
    args: ["eval", program],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = process.stdout.getReader();
  await reader.read();
  const spentMs = cpuMicrosOf(process.pid) / 1_000;
  assert(residentBytesOf(process.pid) > 10e6);
  await process.stdin.close();
  await process.status;
  await reader.cancel();
  // The loops run for a time, not for CPU time: on a busy machine they get a share of it.
  assert(spentMs > burnMs * 3 * 0.3, `${spentMs}`);
  assert(spentMs < burnMs * 3 + 3_000, `${spentMs}`);
});

Deno.test("process tree: contains this process and its children only", async () => {
  const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
  assertEquals(processTree(child.pid), [child.pid]);
  assert(processTree(Deno.pid).includes(child.pid));
  child.kill();
  await child.status;
});
