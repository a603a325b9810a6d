import { isIP } from "node:net";
import type { Config } from "../../lib/config.ts";
import { baseUrls } from "../../lib/console/connect/base_urls.ts";
import { catalogs } from "../../lib/console/i18n/mod.ts";
import { reasonOf } from "../../lib/telemetry/log.ts";
import { type AddressKind, addressKind } from "../../lib/upstreams/address.ts";
import { type Check, failed, ok, skipped, warning } from "./check.ts";

const name = "clients";
const answerMsMax = 5_000;

interface ClientOptions {
  /** The base URL that clients have; absent: the configured address. */
  readonly baseUrl?: string;
  /** An API key, with which the models are listed. */
  readonly key?: string;
  /** True if a gateway uses the store, so that one must answer. */
  readonly isInUse: boolean;
  /** True if the store's file does not exist, so that no gateway can use it. */
  readonly isMissing?: boolean;
}

/** Checks the address that clients use, and the gateway there. Lists the base URLs to configure. */
export async function checkClients(config: Config, options: ClientOptions): Promise<Check[]> {
  const entered = options.baseUrl ?? addressOf(config);
  const url = URL.parse(entered);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return [
      failed(name, `${entered} is not a URL`, "Enter one such as https://gateway.example.com"),
    ];
  }
  return [
    ...baseUrls(url.origin, catalogs.en).map(({ what, baseUrl }) =>
      ok(name, `${what}: ${baseUrl}`)
    ),
    ...writtenFaults(url, config),
    ...options.baseUrl === undefined ? unnamedAddress(config) : [],
    ...await answersAt(url.origin, options),
  ];
}

/** Returns a fault if other machines reach the gateway at an address that it does not know. */
function unnamedAddress({ publicUrl, host }: Config): Check[] {
  if (publicUrl !== undefined || !everyAddress.has(host)) return [];
  const detail = `the gateway listens on all addresses (${host}), and publicUrl is not set: ` +
    "its links name this machine only, and without TLS keys and prompts are sent unencrypted";
  return [warning(name, detail, `Set publicUrl to the address of clients. ${tls}`)];
}

const everyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function addressOf({ publicUrl, host, port }: Config): string {
  const hostname = everyAddress.has(host) ? "127.0.0.1" : host;
  return publicUrl ?? `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** Returns the faults of an address that show without calling it. */
export function writtenFaults(
  { protocol, hostname, pathname, origin }: URL,
  config: Config,
): Check[] {
  const isLocal = hostname === "localhost" || addressKindOf(hostname) === "loopback";
  const checks: Check[] = [];
  if (protocol === "http:" && isPublic(hostname)) {
    checks.push(warning(name, `${origin} sends keys and prompts without encryption`, tls));
  }
  if (isLocal && config.trustedProxies.length > 0) {
    const detail = `${origin} works on this machine only, though a proxy is configured`;
    checks.push(warning(name, detail, "Set publicUrl to the address of the proxy"));
  }
  if (/^\/v1(beta)?\/v1/.test(pathname)) {
    checks.push(failed(name, `${pathname} has the version twice`, `Use ${origin}/v1 or ${origin}`));
  }
  return checks;
}

/** The kind of an address; undefined for a public one, and for a name. */
function addressKindOf(hostname: string): AddressKind | undefined {
  const ip = hostname.replace(/^\[|\]$/g, "");
  return isIP(ip) === 0 ? undefined : addressKind(ip);
}

/** Names of one part, and those under the domains of local networks, are not public. */
function isPublic(hostname: string): boolean {
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  if (!isName) return addressKindOf(hostname) === undefined;
  return hostname.includes(".") && !/\.(local|internal|lan|home\.arpa|localhost)$/.test(hostname);
}

const tls = "Put a proxy with TLS in front, and use https://; docs/how-to/run-behind-a-proxy.md";

async function answersAt(
  origin: string,
  { key, isInUse, isMissing = false }: ClientOptions,
): Promise<Check[]> {
  try {
    const health = await answerOf(`${origin}/healthz`);
    if (health.text !== "ok\n") return [foreign(origin, health)];
  } catch (error) {
    const detail = `no gateway answers at ${origin}: ${reasonOf(error)}`;
    if (!isInUse) return [skipped(name, `${detail}. Start one to check it`)];
    return [failed(name, detail, "Check host, port and proxy: a process uses the store")];
  }
  const detail = `the gateway at ${origin} uses another store than TESSERA_KV names here`;
  const remedy = "Run this task on the gateway's machine, with its user and its variables";
  return [
    ...isMissing ? [warning(name, detail, remedy)] : [],
    await tested(`${origin}/readyz`, readinessOf),
    await tested(`${origin}/v1/models`, (url) => modelsOf(url, key)),
  ];
}

/** Reports an address that does not answer in time, or whose connection breaks, as failed. */
async function tested(url: string, check: (url: string) => Promise<Check>): Promise<Check> {
  try {
    return await check(url);
  } catch (error) {
    return failed(name, `${url} does not answer: ${reasonOf(error)}`, "See the gateway's log");
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function answerOf(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(answerMsMax);
  const response = await fetch(url, { headers, signal, redirect: "manual" });
  return { status: response.status, text: await response.text() };
}

function foreign(origin: string, { status }: Answer): Check {
  const remedy = "Check the port, and that the proxy in front passes every path to the gateway";
  return failed(
    name,
    `${origin}/healthz answers with status ${status}, but not as Tessera`,
    remedy,
  );
}

async function readinessOf(url: string): Promise<Check> {
  const { status, text } = await answerOf(url);
  if (status === 200) return ok(name, `the gateway at ${new URL(url).origin} is ready`);
  const { message, remedy } = membersOf(text);
  return failed(
    name,
    typeof message === "string" ? message : `${url} answers with status ${status}`,
    typeof remedy === "string" ? remedy : "See its log",
  );
}

async function modelsOf(url: string, key: string | undefined): Promise<Check> {
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  const { status, text } = await answerOf(url, headers);
  if (key === undefined && status === 401) return skipped(name, `${url} needs a key: set KEY`);
  const { data } = membersOf(text);
  if (status === 200 && Array.isArray(data)) return ok(name, `${url} lists ${data.length} models`);
  const detail = status === 200
    ? `${url} answers with something else than a list of models`
    : `${url} answers with status ${status}`;
  return failed(name, detail, "Check the key in KEY, and the proxy");
}

/** Returns an empty object for a text that is not JSON. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
