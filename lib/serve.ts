import { defaultModel, namesForGroup } from "./catalog/mod.ts";
import { type Config, ConfigError } from "./config.ts";
import { matchesPattern, storeAdvice } from "./store/mod.ts";
import { defaultGroupId, priceInForce } from "./store/catalog/mod.ts";
import type { Directory } from "./store/directory/mod.ts";
import {
  logLine,
  reportThrown,
  type RuntimeCheck,
  type StartupNotices,
  welcome,
} from "./telemetry/mod.ts";
import { type ListRefresh, type Send, upstreamsOf } from "./upstreams/mod.ts";

/** A composed server. */
export interface Parts {
  readonly config: Pick<Config, "host" | "port" | "limits">;
  readonly fetch: Deno.ServeHandler<Deno.NetAddr>;
  /** Answers a request that failed before `fetch` saw it. */
  readonly thrownResponse: (thrown: unknown) => Response;
  /** Printed once the server listens; undefined if another isolate of this process prints them. */
  readonly notices: StartupNotices | undefined;
  readonly gateway: { readonly send: Send };
  readonly directory: Pick<Directory, "group" | "model" | "models" | "upstreams" | "upstreamLists">;
  /** Asks upstreams for their models, which nothing waits for. */
  readonly lists: Pick<ListRefresh, "start" | "firstLists">;
  readonly runtime: Pick<RuntimeCheck, "run">;
  /** Builds and loads the console, which the API does not wait for. */
  readonly loadConsole: () => Promise<unknown>;
  /** Lets go of everything; called once, after the last answer. */
  readonly close: () => Promise<void>;
}

/** The time for interrupted answers to send their error and store their row. */
export const lastWordsMs = 5_000;

/**
 * Serves until SIGTERM or SIGINT: then takes no new connection, lets answers in flight end within
 * the grace time, ends the others in their format's error form, closes the store and exits with 0.
 * A second signal ends at once. A configuration or a store that cannot be used ends with its
 * message and 1.
 */
export async function run(compose: () => Promise<Parts>): Promise<never> {
  const parts = await compose().catch(endWithMessage);
  const { host: hostname, port, limits } = parts.config;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  // Before the greeting: whoever has read it may stop the server at once.
  onStopSignal(() => {
    setTimeout(() => parts.gateway.send.endAll(), limits.stopGraceMs);
    setTimeout(stop, limits.stopGraceMs + lastWordsMs); // a caller that does not read holds nobody up
    void server.shutdown().finally(stop); // aborted then, a server throws out of its signal (Deno 2.9.6)
  });
  parts.lists.start();
  const server = listen(
    { hostname, port, onListen: (address) => void greet(address, parts) },
    parts,
  );
  loadConsole(parts);
  void parts.runtime.run();
  await stopped;
  await parts.close().catch(endWithMessage);
  Deno.exit(0);
}

/** A port that is taken, or an address that is not this machine's, is no bug. */
function listen(
  options: Deno.ServeTcpOptions,
  { fetch, thrownResponse }: Pick<Parts, "fetch" | "thrownResponse">,
): Deno.HttpServer<Deno.NetAddr> {
  const onError = (thrown: unknown) => {
    reportThrown(thrown); // the runtime's own line would quote the address
    return thrownResponse(thrown);
  };
  try {
    return Deno.serve({ ...options, onError }, fetch);
  } catch (error) {
    const { hostname, port } = options;
    if (error instanceof Deno.errors.AddrInUse) {
      console.error(
        `Cannot listen on ${hostname}:${port}: another program does; set PORT to a free one`,
      );
    } else if (error instanceof Deno.errors.AddrNotAvailable) {
      console.error(`Cannot listen on ${hostname}: it is no address of this machine; set HOST`);
    } else throw error;
    Deno.exit(1);
  }
}

/** Ends the process with one line for the operator, unless the error is a bug. */
export function endWithMessage(error: unknown): never {
  const text = error instanceof ConfigError ? error.message : storeAdvice(error);
  if (text === undefined) throw error;
  console.error(text);
  Deno.exit(1);
}

/** Loads the console beside the API, which goes on without it. */
export function loadConsole(parts: Pick<Parts, "loadConsole">): void {
  parts.loadConsole().catch((error) =>
    logLine("error", "The console could not be built", { stack: String(error?.stack) })
  );
}

/** The longest wait for upstreams' model lists before the notices name a model; calls are answered meanwhile. */
const firstListsMs = 2_000;

/**
 * Prints the start-up notices. Writes to standard output directly, because `OTEL_DENO=true` sends
 * `console.log` to a log collector too, and the notices hold the first key and the set-up link.
 */
export async function greet(
  address: Deno.Addr,
  { notices, directory, lists }: Pick<Parts, "notices" | "directory" | "lists">,
): Promise<void> {
  if (notices === undefined || address.transport !== "tcp") return;
  await lists.firstLists(firstListsMs);
  const text = welcome(address, notices, modelOfFirstCall(directory));
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** The model that `GET /v1/models` lists for the default group and that the examples call. */
function modelOfFirstCall(directory: Parts["directory"]): string | undefined {
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

/** Calls `stop` at the first SIGTERM or SIGINT; a second one ends at once. */
export function onStopSignal(stop: () => void): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) Deno.exit(1);
    stopping = true;
    stop();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, onSignal);
}
