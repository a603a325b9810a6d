import { assertMatch } from "@std/assert";

const script = new URL("./hold_store.ts", import.meta.url).pathname;
const configFile = new URL("../../deno.json", import.meta.url).pathname;

/** A process that has a store open. */
interface Holder {
  readonly pid: number;
  kill(): Promise<void>;
}

/** Opens a store in a process of its own. */
export async function startHolder(path: string): Promise<Holder> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", configFile, script, path],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  assertMatch(new TextDecoder().decode(value), /^open /);
  return {
    pid: child.pid,
    kill: async () => {
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
    },
  };
}
