import { assertStringIncludes } from "@std/assert";

const main = new URL("../../../main.ts", import.meta.url).pathname;
/** Does not notice callers that disconnect. */
const faulty = "deno@2.9.6";
const isThere = await canRun(faulty);
if (!isThere) console.log(`${faulty} is not to be had: the warning of a faulty Deno is not tried`);

async function canRun(version: string): Promise<boolean> {
  try {
    const args = ["-y", version, "--version"];
    const signal = AbortSignal.timeout(120_000);
    const { success } = await new Deno.Command("npx", {
      args,
      signal,
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "a start on a Deno that does not notice disconnects warns and names the command to run",
  ignore: !isThere,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const { execPath } = JSON.parse(
      await outputOf(["eval", "console.log(JSON.stringify({execPath: Deno.execPath()}))"]),
    );
    const process = new Deno.Command(execPath, {
      args: ["run", "-A", main],
      env: { PORT: "0", TESSERA_KV: `${folder}/tessera.db` },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    try {
      const said = await untilSaid(process.stderr, "task start");
      assertStringIncludes(said, '"deno":"2.9.6","command":"npx -y deno@2.8.2 task start"');
    } finally {
      process.kill("SIGTERM");
      await process.status;
      await Deno.remove(folder, { recursive: true });
    }
  },
});

async function outputOf(args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command("npx", { args: ["-y", faulty, ...args] }).output();
  return new TextDecoder().decode(stdout);
}

async function untilSaid(stream: ReadableStream<Uint8Array>, words: string): Promise<string> {
  const text = new TextDecoder();
  let said = "";
  for await (const chunk of stream) {
    said += text.decode(chunk, { stream: true });
    if (said.includes(words)) break;
  }
  return said;
}
