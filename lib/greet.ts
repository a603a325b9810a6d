import { defaultModel, namesForGroup } from "./catalog/mod.ts";
import { type Config, isLoopbackHost } from "./config.ts";
import { defaultGroupId, priceInForce } from "./store/catalog/mod.ts";
import type { Directory } from "./store/directory/mod.ts";
import { matchesPattern } from "./store/mod.ts";
import { type StartupNotices, welcome } from "./telemetry/mod.ts";
import { type ListRefresh, upstreamsOf } from "./upstreams/mod.ts";

/** The sources of the start-up notices. */
export interface Greeting {
  /**
   * The start-up notices, printed once the server listens; undefined if another isolate prints
   * them.
   */
  readonly notices: StartupNotices | undefined;
  readonly directory: Pick<Directory, "group" | "model" | "models" | "upstreams" | "upstreamLists">;
  readonly lists: Pick<ListRefresh, "firstLists">;
}

/**
 * Maximum wait for the upstreams' model lists before the notices are printed; calls are answered
 * meanwhile.
 */
const firstListsMs = 2_000;

/**
 * Prints the start-up notices, which contain the first key and the set-up link. Writes to standard
 * output directly, because `OTEL_DENO=true` also sends `console.log` to a log collector.
 */
export async function greet(
  base: string | undefined,
  { notices, directory, lists }: Greeting,
  elsewhere?: string,
): Promise<void> {
  if (notices === undefined || base === undefined) return;
  await lists.firstLists(firstListsMs);
  const text = welcome(base, notices, modelOfFirstCall(directory), elsewhere);
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** The model for the examples: one that `GET /v1/models` lists for the default group. */
function modelOfFirstCall(directory: Greeting["directory"]): string | undefined {
  const nowMs = Date.now();
  const upstreams = () => upstreamsOf(directory.upstreams());
  const models = () => directory.models();
  const upstreamLists = () => directory.upstreamLists();
  const names = namesForGroup(defaultGroupId, { upstreams, models, upstreamLists });
  const admitted = directory.group(defaultGroupId)?.models ?? [];
  const offered = names.filter((id) => admitted.some((pattern) => matchesPattern(pattern, id)));
  const choosable = offered.map((id) => {
    const prices = directory.model(id)?.price;
    const price = prices && priceInForce(prices, nowMs);
    return { id, ...(price && { price }) };
  });
  return defaultModel(choosable, nowMs);
}

/** The base URL of a listening server for browsers on its machine; undefined if it is not on TCP. */
export function baseOf(address: Deno.Addr): string | undefined {
  if (address.transport !== "tcp") return undefined;
  return `http://${localHost(address.hostname)}:${address.port}`;
}

/** The host of a bound address, in a URL that its own machine opens. */
function localHost(hostname: string): string {
  if (isAny(hostname)) return "127.0.0.1";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

/** The name of a container that is given none, by which no other machine reaches it. */
const containerId = /^[0-9a-f]{12}$/;

/**
 * The way for a browser on another machine to open the base URL; undefined if it opens it as it is.
 * `machine` is the name of this machine.
 */
export function openedElsewhere(address: Deno.Addr, machine: string): string | undefined {
  if (address.transport !== "tcp") return undefined;
  const { hostname, port } = address;
  const host = localHost(hostname);
  if (!isLoopbackHost(host)) return undefined;
  const forward = `ssh -L ${port}:${host}:${port}`;
  if (containerId.test(machine)) {
    return `publish port ${port} of this container, and run ${forward} SERVER, where SERVER runs it`;
  }
  const tunnel = `${forward} ${machine}`;
  return isAny(hostname) ? `use http://${machine}:${port}, or run ${tunnel}` : `run ${tunnel}`;
}

function isAny(hostname: string): boolean {
  return hostname === "0.0.0.0" || hostname === "::";
}

interface Greeted extends Greeting {
  readonly config: Pick<Config, "publicUrl">;
  readonly fetch: Deno.ServeHandler;
}

/** An isolate that gets no request prints the notices after this time, before it is stopped idle. */
const firstRequestMs = 4_000;
const unknownBase = "https://YOUR-APP.deno.net";

/** A server that has not greeted yet. */
interface Greeter {
  readonly fetch: Deno.ServeHandler;
  /** Greets now if no request has come. Resolves once the notices are printed. */
  readonly greetNow: () => Promise<void>;
}

/**
 * The server of an app on Deno Deploy, which greets with the address of its first request: the
 * bound address is the isolate's own. The platform sends an app only requests for its own domains,
 * over HTTPS.
 */
export function greetAtFirstRequest(parts: Greeted): Greeter {
  const { promise: base, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(unknownBase), firstRequestMs);
  const greeted = base.then((known) => greet(known, parts)).finally(() => clearTimeout(timer));
  let { publicUrl } = parts.config;
  if (publicUrl !== undefined) resolve(publicUrl);
  const fetch: Deno.ServeHandler = (request, info) => {
    if (publicUrl === undefined) {
      publicUrl = publicOrigin(request);
      if (publicUrl !== undefined) resolve(publicUrl);
    }
    return parts.fetch(request, info);
  };
  const greetNow = () => {
    resolve(unknownBase);
    return greeted;
  };
  return { fetch, greetNow };
}

/** The HTTPS origin of a request; undefined if its host is not a domain, as in a platform's check. */
function publicOrigin({ url }: Request): string | undefined {
  const hostname = URL.parse(url)?.hostname ?? "";
  return /^[\w.-]+\.[a-z][a-z0-9-]*$/i.test(hostname) ? `https://${hostname}` : undefined;
}
