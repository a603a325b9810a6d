import { assert, assertEquals } from "@std/assert";
import { loadConfig } from "../../lib/config.ts";
import { root } from "./blocks.ts";

const tasks = Object.keys(JSON.parse(Deno.readTextFileSync(new URL("deno.json", root))).tasks);

/** A command that starts the gateway, with the variables before it. */
export function isStart(code: string): boolean {
  return /\bdeno(@[\d.]+)? task start(:parallel)?\s*$/.test(code);
}

/** Reads the variables of a start by the gateway's own reader, and checks that the task exists. */
export function checkStart(code: string): void {
  const words = code.replaceAll("\\\n", " ").match(/'[^']*'|[^\s']+(?:'[^']*')?/g) ?? [];
  const env = Object.fromEntries(
    words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => {
      const at = word.indexOf("=");
      return [word.slice(0, at), word.slice(at + 1).replaceAll("'", "")];
    }),
  );
  assert(tasks.includes(words.at(-1) ?? ""), `no task ${words.at(-1)}`);
  // An ellipsis is a placeholder of a secret.
  const filled = Object.entries(env).map((
    [name, value],
  ) => [name, value.replace("…", "0123456789")]);
  const config = loadConfig(Object.fromEntries(filled), () => "");
  assertEquals(config.limits !== undefined, true);
}

/** Reads a configuration file by the gateway's own reader; every `${NAME}` in it is set. */
export function checkConfiguration(code: string): void {
  const names = [...code.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name);
  const secret = `whsec_${btoa("0123456789abcdefghijklmnopqrstuv")}`;
  const env = Object.fromEntries(
    names.map((
      name,
    ) => [name, name === "ALERT_SECRET" ? secret : `sk-0123456789abcdefghij-${name}`]),
  );
  loadConfig({ ...env, TESSERA_CONFIG: "config.jsonc" }, () => code);
}
