import { CommandError, type Terminal } from "./terminal.ts";

/** The gateway, and the token for its management API. */
export interface GatewayAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
}

/** The options of every command. */
export interface GlobalOptions {
  readonly gateway?: string;
  readonly token?: string;
  readonly json?: true;
}

const usualUrl = "http://localhost:8787";

/**
 * The settings of a command: its flags, else `TESSERA_URL` and `TESSERA_TOKEN`, else the file of
 * `login`. The file's token is sent to the file's gateway only.
 */
export async function accessOf(
  given: Pick<GlobalOptions, "gateway" | "token">,
  { env }: Terminal,
): Promise<GatewayAccess> {
  const saved = await readSaved(env);
  const url = bareUrl(given.gateway ?? env("TESSERA_URL") ?? saved?.url ?? usualUrl);
  const own = saved?.url === url ? saved.token : undefined;
  const token = given.token ?? env("TESSERA_TOKEN") ?? own;
  if (token !== undefined) return { url, token };
  throw new CommandError(
    "usage",
    "No API token: set TESSERA_TOKEN, or run tessera login. Administrators create tokens in the console under API tokens",
  );
}

/** Writes the settings to a file that only this user may read. Returns its path. */
export async function saveAccess(settings: GatewayAccess, { env }: Terminal): Promise<string> {
  const path = settingsPath(env);
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o700 });
  const draft = `${path}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(draft, JSON.stringify(settings) + "\n", { mode: 0o600 });
  await Deno.rename(draft, path);
  return path;
}

/** Deletes the file of `login`. Returns false if there was none. */
export async function forgetAccess({ env }: Terminal): Promise<boolean> {
  try {
    await Deno.remove(settingsPath(env));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** The address without a trailing slash and without the path of the API. */
export function bareUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandError("usage", `Not an address: ${text}. Use one such as ${usualUrl}`);
  }
  return (url.origin + url.pathname).replace(/(\/(api\/)?v1)?\/*$/, "");
}

async function readSaved(env: Terminal["env"]): Promise<GatewayAccess | undefined> {
  const path = settingsPath(env);
  const text = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const { url, token } = JSON.parse(text);
    if (typeof url === "string" && typeof token === "string") return { url, token };
  } catch { /* reported below */ }
  throw new CommandError("usage", `Cannot read ${path}. Run tessera login again`);
}

function settingsPath(env: Terminal["env"]): string {
  const home = env("HOME") ?? env("USERPROFILE") ?? ".";
  return `${env("XDG_CONFIG_HOME") ?? env("APPDATA") ?? `${home}/.config`}/tessera/cli.json`;
}
