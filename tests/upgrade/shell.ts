import { assert, assertEquals, assertMatch } from "@std/assert";
import { until } from "../waiting.ts";
import { assertInLog, call, signIn } from "./visitor.ts";

const startMsMax = 240_000;

/** A shell in a folder, where `deno` is the running Deno. */
export interface Shell {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

function command({ folder, env }: Shell, code: string): Deno.Command {
  const args = ["-euo", "pipefail", "-c", code];
  return new Deno.Command("bash", { args, cwd: folder, env, stdout: "piped", stderr: "piped" });
}

/** Runs steps to their end, and returns their output. */
export async function run(shell: Shell, code: string): Promise<string> {
  const { success, stdout, stderr } = await command(shell, code).output();
  const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(success, `${code}\n${out}\n${said}`);
  return out;
}

/** Runs steps of which the last one starts the gateway, and hands over what it printed. */
export async function serving(
  shell: Shell,
  steps: string,
  use: (base: string, printed: string) => Promise<void>,
): Promise<void> {
  const start = /(deno task start[:\w]*|npx [\w@.-]+)$/;
  assertMatch(steps, start);
  const process = command(shell, steps.replace(start, "exec $&")).spawn();
  const said = new Response(process.stderr).text();
  let [printed, isOver] = ["", false];
  void process.status.then(() => isOver = true);
  const reading = (async () => {
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) printed += text;
  })();
  const base = `http://127.0.0.1:${shell.env.PORT}`;
  try {
    const isReady = async () => {
      assert(!isOver, printed);
      const answer = await fetch(`${base}/readyz`).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.ok === true && printed.includes("export MODEL=");
    };
    await until(isReady, "the gateway does not start", startMsMax);
    await use(base, printed);
  } catch (error) {
    if (!isOver) process.kill("SIGTERM");
    throw new Error(await said, { cause: error });
  }
  process.kill("SIGTERM");
  const { code } = await process.status;
  if (!steps.includes("npx")) assertEquals(code, 0); // npx ends at once, and the gateway after it
  await reading;
  await said;
}

/** The key, the session and the calls that a user has before the upgrade. */
export async function enroll(base: string, printed: string) {
  const key = /export KEY=(\S+)/.exec(printed)?.[1] ?? "";
  return { key, cookie: await signIn(base), calls: [await call(base, key)] };
}

export type Enrolled = Awaited<ReturnType<typeof enroll>>;

/** Asserts that all calls are in the log, and makes another one. */
export async function assertKept(base: string, { key, cookie, calls }: Enrolled): Promise<void> {
  await assertInLog(base, cookie, calls);
  calls.push(await call(base, key));
}
