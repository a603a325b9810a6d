/**
 * `deno task sdks` installs the SDKs that `tests/e2e/sdk` runs as separate programs (AI SDK,
 * LangChain, OpenAI Agents SDK, Google's former SDK), and prints their pinned versions. A separate
 * configuration puts them into Deno's cache, so that starting the gateway does not install them.
 */
import sdkConfig from "../tests/e2e/sdk/programs/deno.json" with { type: "json" };

const programs = new URL("../tests/e2e/sdk/programs/", import.meta.url).pathname;
const programFiles = ["ai_sdk.ts", "langchain.ts", "openai_agents.ts", "older_google.ts"];
const config = ["--config", `${programs}deno.json`, "--frozen"];

/** The command that runs a program with cached packages only, without access to a registry. */
export function programCommand(file: string, ...args: readonly string[]) {
  const options = ["--no-check", "--cached-only", ...config];
  return { command: Deno.execPath(), args: ["run", "-A", ...options, programs + file, ...args] };
}

/** Returns true if every program starts: its imports are cached at their pinned versions. */
export async function isInstalled(): Promise<boolean> {
  const runs = programFiles.map((file) => programCommand(file, "openai-chat").args);
  return (await Promise.all(runs.map(succeeds))).every(Boolean);
}

/** The pinned versions of some packages, in words. */
export function sdkVersions(packages: readonly string[]): string {
  const pinned = Object.values(sdkConfig.imports).map((name) => name.replace(/^npm:\/?|\/$/g, ""));
  return packages.map((name) => pinned.find((one) => one.startsWith(`${name}@`)) ?? name)
    .join(" ");
}

async function succeeds(args: readonly string[]): Promise<boolean> {
  const running = new Deno.Command(Deno.execPath(), {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  });
  return (await running.output()).success;
}

if (import.meta.main) {
  await succeeds(["cache", ...config, ...programFiles.map((file) => programs + file)]);
  if (!await isInstalled()) {
    console.error("Could not install the SDKs");
    Deno.exit(1);
  }
  console.log(Object.values(sdkConfig.imports).join("\n"));
}
