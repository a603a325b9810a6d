import { defaultModel, namesForGroup } from "./catalog/mod.ts";
import { type Config, ConfigError } from "./config.ts";
import { defaultGroupId, priceInForce } from "./store/catalog/mod.ts";
import type { Directory } from "./store/directory/mod.ts";
import { matchesPattern, storeAdvice } from "./store/mod.ts";
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
  /**
   * The start-up notices, printed once the server listens; undefined if another isolate prints
   * them.
   */
  readonly notices: StartupNotices | undefined;
  readonly gateway: { readonly send: Send };
  readonly directory: Pick<Directory, "group" | "model" | "models" | "upstreams" | "upstreamLists">;
  /** Fetches the model lists of upstreams in the background. */
  readonly lists: Pick<ListRefresh, "start" | "firstLists">;
  readonly runtime: Pick<RuntimeCheck, "run">;
  /** Builds and loads the console in the background. */
  readonly loadConsole: () => Promise<unknown>;
  /** Releases all resources; called once, after the last answer. */
  readonly close: () => Promise<void>;
}

/** The time for interrupted answers to send their error and store their row. */
export const lastWordsMs = 5_000;

/**
 * Serves until SIGTERM or SIGINT. Then it accepts no new connections, lets answers in flight end
 * within the grace time, ends the others in their format's error form, closes the store and exits
 * with 0. A second signal exits at once. An unusable configuration or store ends the process with
 * its message and status 1.
 */
export async function run(compose: () => Promise<Parts>): Promise<never> {
  const parts = await compose().catch(endWithMessage);
  const { host: hostname, port, limits } = parts.config;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  // Before the notices: a supervisor may stop the server as soon as it has read them.
  onStopSignal(() => {
    setTimeout(() => parts.gateway.send.endAll(), limits.stopGraceMs);
    setTimeout(stop, limits.stopGraceMs + lastWordsMs); // a client that does not read must not delay the stop
    void server.shutdown().finally(stop); // aborting the signal instead makes the server throw (Deno 2.9.6)
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

/** A port that is in use, or an address of another machine, is not a bug. */
function listen(
  options: Deno.ServeTcpOptions,
  { fetch, thrownResponse }: Pick<Parts, "fetch" | "thrownResponse">,
): Deno.HttpServer<Deno.NetAddr> {
  const onError = (thrown: unknown) => {
    reportThrown(thrown); // the runtime's own message would quote the address
    return thrownResponse(thrown);
  };
  try {
    return Deno.serve({ ...options, onError }, fetch);
  } catch (error) {
    const { hostname, port } = options;
    if (error instanceof Deno.errors.AddrInUse) {
      console.error(
        `Cannot listen on ${hostname}:${port}: the port is in use. Set PORT to a free one`,
      );
    } else if (error instanceof Deno.errors.AddrNotAvailable) {
      console.error(`Cannot listen on ${hostname}: it is not an address of this machine. Set HOST`);
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

/** Loads the console beside the API, which also works without it. */
export function loadConsole(parts: Pick<Parts, "loadConsole">): void {
  parts.loadConsole().catch((error) =>
    logLine("error", "The console could not be built", { stack: String(error?.stack) })
  );
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
  address: Deno.Addr,
  { notices, directory, lists }: Pick<Parts, "notices" | "directory" | "lists">,
): Promise<void> {
  if (notices === undefined || address.transport !== "tcp") return;
  await lists.firstLists(firstListsMs);
  const text = welcome(address, notices, modelOfFirstCall(directory));
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** The model for the examples: one that `GET /v1/models` lists for the default group. */
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

/** Calls `stop` at the first SIGTERM or SIGINT; a second signal exits at once. */
export function onStopSignal(stop: () => void): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) Deno.exit(1);
    stopping = true;
    stop();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, onSignal);
}
