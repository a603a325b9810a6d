/**
 * Checks versions of Deno for the behavior that the gateway needs, and prints a table:
 * `deno task probe 2.7.14 2.8.2 2.9.6`. Each version comes from npm.
 */
import { needed } from "./deno_probe/checks.ts";

const program = new URL("./deno_probe/checks.ts", import.meta.url).pathname;

/** The answers of one version, by the check's name. */
async function askVersion(version: string): Promise<Record<string, boolean>> {
  const { success, stdout, stderr } = await new Deno.Command("npx", {
    args: ["-y", `deno@${version}`, "run", "--no-config", "--no-lock", "-A", program],
    stderr: "piped",
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(`Deno ${version} could not run the probe: ${text.decode(stderr)}`);
  return JSON.parse(text.decode(stdout));
}

const versions = Deno.args.length > 0 ? Deno.args : [Deno.version.deno];
const columns = new Map<string, Record<string, boolean>>();
for (const version of versions) columns.set(version, await askVersion(version));

const names = Object.keys(columns.values().next().value ?? {});
const wanted = new Set(needed.map(({ name }) => name));
console.log(`| check | ${versions.join(" | ")} |`);
console.log(`| --- |${" --- |".repeat(versions.length)}`);
for (const name of names) {
  const cells = versions.map((version) =>
    cell(columns.get(version)?.[name] === true, wanted.has(name))
  );
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
const isSound = (version: string) => needed.every(({ name }) => columns.get(version)?.[name]);
console.log(
  `| **sound** | ${versions.map((version) => isSound(version) ? "yes" : "**no**").join(" | ")} |`,
);

function cell(holds: boolean, isNeeded: boolean): string {
  if (holds) return "yes";
  return isNeeded ? "**no**" : "no";
}
