/**
 * Installs the coding agents that `tests/e2e/agents` runs, at their pinned versions, and prints
 * the installed ones: `deno task agents`. They live in a cache folder outside of the project
 * (`TESSERA_AGENTS` names another). Installed agents are reused.
 */

/** An agent as npm knows it. */
interface AgentPackage {
  readonly name: string;
  readonly version: string;
  /** The command that it installs. */
  readonly command: string;
}

export const agentPackages = {
  "claude-code": { name: "@anthropic-ai/claude-code", version: "2.1.332", command: "claude" },
  codex: { name: "@openai/codex", version: "0.171.0", command: "codex" },
  "gemini-cli": { name: "@google/gemini-cli", version: "0.61.0", command: "gemini" },
  opencode: { name: "opencode-ai", version: "1.18.33", command: "opencode" },
} as const satisfies Record<string, AgentPackage>;
export type AgentId = keyof typeof agentPackages;

/** First on the path while installing and running: an older Node silently gets older clients. */
const node: AgentPackage = { name: "node", version: "24.21.0", command: "node" };

const installMsMax = 10 * 60_000;
const versionMsMax = 60_000;

const caches = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? "/tmp"}/.cache`;

/** Where tools keep what they install for the tests, outside of the project. */
export const cacheFolder = `${caches}/tessera`;

const folder = Deno.env.get("TESSERA_AGENTS") ?? `${cacheFolder}/agents`;

/** The folder of a package's commands. */
function commandsOf({ name }: AgentPackage): string {
  return name === node.name ? `${folder}/node/node_modules/.bin` : `${folder}/node_modules/.bin`;
}

/** The path with the right Node first. */
export const agentPath = `${commandsOf(node)}:/usr/local/bin:/usr/bin:/bin`;

/** The agent's command if it is installed at its pinned version. */
export function installedCommand(id: AgentId): string | undefined {
  const { [id]: pinned } = agentPackages;
  const ready = isInstalled(pinned, folder) && isInstalled(node, `${folder}/node`);
  return ready ? `${commandsOf(pinned)}/${pinned.command}` : undefined;
}

function isInstalled({ name, version }: AgentPackage, under: string): boolean {
  try {
    const text = Deno.readTextFileSync(`${under}/node_modules/${name}/package.json`);
    return JSON.parse(text).version === version;
  } catch {
    return false;
  }
}

async function install(packages: readonly AgentPackage[], under: string): Promise<void> {
  const missing = packages.filter((one) => !isInstalled(one, under));
  if (missing.length === 0) return;
  await Deno.mkdir(under, { recursive: true });
  const names = missing.map(({ name, version }) => `${name}@${version}`);
  const { success } = await new Deno.Command("npm", {
    args: ["install", "--prefix", under, "--no-audit", "--no-fund", "--save-exact", ...names],
    env: { PATH: `${commandsOf(node)}:${Deno.env.get("PATH") ?? ""}` },
    signal: AbortSignal.timeout(installMsMax),
  }).output();
  if (!success) throw new Error(`npm could not install ${names.join(", ")}`);
}

/** The version that the command prints: an installation may lack the binary for this platform. */
async function versionOf(id: AgentId): Promise<string> {
  const command = installedCommand(id);
  if (!command) return "not installed";
  const home = await Deno.makeTempDir();
  const { stdout } = await new Deno.Command(command, {
    args: ["--version"],
    clearEnv: true,
    env: { PATH: agentPath, HOME: home },
    stdin: "null",
    signal: AbortSignal.timeout(versionMsMax),
  }).output();
  await Deno.remove(home, { recursive: true });
  return new TextDecoder().decode(stdout).trim();
}

if (import.meta.main) {
  await install([node], `${folder}/node`);
  await install(Object.values(agentPackages), folder);
  let failed = false;
  for (const [id, { version }] of Object.entries(agentPackages)) {
    const said = await versionOf(id as AgentId); // sound: a key of the table
    failed ||= !said.includes(version);
    console.log(`${id.padEnd(12)} ${said}`);
  }
  if (failed) Deno.exit(1);
}
