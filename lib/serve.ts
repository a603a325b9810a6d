import { type Config, ConfigError } from "./config.ts";
import { baseOf, greet, greetAtFirstRequest, type Greeting, openedElsewhere } from "./greet.ts";
import type { Networks } from "./http/connections.ts";
import { assertFree, serveHttp, type Server } from "./http/server.ts";
import { storeAdvice } from "./store/mod.ts";
import {
  logLine,
  reportAcceptFailure as onAcceptFailure,
  reportRefusal as onRefusal,
  reportThrown,
  type RuntimeCheck,
} from "./telemetry/mod.ts";
import { countTextTokens } from "./tokens/mod.ts";
import type { ListRefresh, Send } from "./upstreams/mod.ts";

interface Parts extends Greeting {
  readonly config: Pick<
    Config,
    "host" | "port" | "limits" | "lastWordsMs" | "isOnDeploy" | "publicUrl"
  >;
  readonly fetch: Deno.ServeHandler;
  /** Answers a request that failed before `fetch` saw it. */
  readonly thrownResponse: (thrown: unknown) => Response;
  readonly networks: Networks;
  readonly gateway: { readonly send: Send };
  /** Fetches the model lists of upstreams in the background. */
  readonly lists: Pick<ListRefresh, "start" | "firstLists">;
  readonly runtime: Pick<RuntimeCheck, "run">;
  readonly loadConsole: () => Promise<unknown>;
  /** Starts the workers, so that none has to start when files are scarce: the runtime would end. */
  readonly startWorkers: () => void;
  /** Releases all resources; called once, after the last answer. */
  readonly close: () => Promise<void>;
}

/**
 * Serves until SIGTERM or SIGINT. Then it accepts no new connections, lets answers in flight end
 * within the grace time, ends the others in their format's error form, closes the store and exits
 * with 0. A second signal exits at once. An unusable configuration or store ends the process with
 * its message and status 1. With `siblings`, other isolates of the process serve the same address,
 * and the process exits once all of them have stopped.
 */
export async function run(compose: () => Promise<Parts>, siblings?: Siblings): Promise<never> {
  const parts = await compose().catch(endWithMessage);
  const { limits: { stopGraceMs }, lastWordsMs, isOnDeploy } = parts.config;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const greeter = isOnDeploy ? greetAtFirstRequest(parts) : undefined;
  // Before the notices: a supervisor may stop the server as soon as it has read them.
  onStopSignal(() => {
    void greeter?.greetNow(); // the first key is shown only once
    if (isOnDeploy) setTimeout(() => countTextTokens("a"), loadTokenizerMs);
    setTimeout(() => parts.gateway.send.endAll(), stopGraceMs);
    setTimeout(stop, stopGraceMs + lastWordsMs); // a client that does not read must not delay the stop
    // An isolate whose clients delay it until the last moment still has to close its store.
    siblings?.announceStop(stopGraceMs + 2 * lastWordsMs);
    void server.shutdown().finally(stop); // aborting the signal instead makes the server throw (Deno 2.9.6)
  });
  parts.lists.start();
  const server = listen({ ...parts, ...greeter }, siblings !== undefined);
  if (!greeter) greetFrom(server.addr, parts);
  finishStart(parts);
  await stopped;
  await greeter?.greetNow();
  await parts.close().catch(endWithMessage);
  await siblings?.finishStop();
  Deno.exit(0);
}

/**
 * Until then there is time to load the tokenizer, which interrupted answers need. An idle isolate
 * stops sooner, and need not load it, which blocks for up to a second.
 */
const loadTokenizerMs = 250;

/** The set-up link begins with `publicUrl`, or with an address that this machine opens. */
function greetFrom(address: Deno.Addr, parts: Parts): void {
  const { publicUrl } = parts.config;
  if (publicUrl !== undefined) void greet(publicUrl, parts);
  else void greet(baseOf(address), parts, openedElsewhere(address, Deno.hostname()));
}

function listen({ config, fetch, thrownResponse, networks }: Parts, isShared: boolean): Server {
  const { host: hostname, port, limits, isOnDeploy } = config;
  const onError = (thrown: unknown) => {
    reportThrown(thrown); // the runtime's own message would quote the address
    return thrownResponse(thrown);
  };
  const options = { hostname, port, limits, networks, onError, onAcceptFailure, onRefusal };
  return bound(config, () => serveHttp({ ...options, isShared, isOnDeploy }, fetch));
}

/**
 * Ends the process if it cannot listen on its address. Called before the store is opened, because
 * the start that creates the first key must also show it.
 */
export function demandFreeAddress(address: Pick<Config, "host" | "port">, isShared = false): void {
  bound(address, () => assertFree(address.host, address.port, isShared));
}

/** A port that is in use, or an address of another machine, is not a bug. */
function bound<Result>(
  { host: hostname, port }: Pick<Config, "host" | "port">,
  listen: () => Result,
): Result {
  try {
    return listen();
  } catch (error) {
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
function endWithMessage(error: unknown): never {
  const text = error instanceof ConfigError ? error.message : storeAdvice(error);
  if (text === undefined) throw error;
  console.error(text);
  Deno.exit(1);
}

/** The first calls have the processor to themselves for so long. */
const firstCallsMs = 1_000;

/**
 * Loads the console, starts the workers and checks the runtime a moment after the start. None of it
 * delays the first calls, and the API works without them. On Deno Deploy the first page loads the
 * console: most isolates there serve calls only, and not for long.
 */
function finishStart(
  parts: Pick<Parts, "config" | "loadConsole" | "startWorkers" | "runtime">,
): void {
  const timer = setTimeout(() => {
    if (!parts.config.isOnDeploy) {
      parts.startWorkers();
      loadConsole(parts);
    }
    void parts.runtime.run();
  }, firstCallsMs);
  Deno.unrefTimer(timer);
}

function loadConsole(parts: Pick<Parts, "loadConsole">): void {
  parts.loadConsole().catch((error) =>
    logLine("error", "The console could not be built", { stack: String(error?.stack) })
  );
}

/** Calls `stop` at the first SIGTERM or SIGINT; a second signal exits at once. */
function onStopSignal(stop: () => void): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) Deno.exit(1);
    stopping = true;
    stop();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, onSignal);
}

/** The wait before the others are counted: the signal does not reach all isolates at the same time. */
const signalSpreadMs = 250;

interface StopMessage {
  readonly id: string;
  readonly state: "stopping" | "stopped";
}

/**
 * The other isolates of `deno serve --parallel`. Every isolate receives SIGTERM and SIGINT, and the
 * first one to exit would end all of them.
 */
export class Siblings {
  readonly #id = crypto.randomUUID();
  readonly #channel = new BroadcastChannel("tessera stop");
  readonly #stopping = new Set<string>();
  #onChange = () => {};
  #deadline: Promise<void> = Promise.resolve();

  constructor() {
    this.#channel.onmessage = ({ data }: MessageEvent<StopMessage>) => {
      if (data.state === "stopping") this.#stopping.add(data.id);
      else this.#stopping.delete(data.id);
      this.#onChange();
    };
  }

  /** Announces that this isolate is stopping. From now on, it waits at most `waitMs` for the others. */
  announceStop(waitMs: number): void {
    this.#deadline = delay(waitMs);
    this.#post("stopping");
  }

  /** Announces that this isolate has stopped. Resolves when all others have, or after the wait. */
  async finishStop(): Promise<void> {
    this.#post("stopped");
    await Promise.race([this.#allStopped(), this.#deadline]);
  }

  async #allStopped(): Promise<void> {
    await delay(signalSpreadMs);
    while (this.#stopping.size > 0) {
      await new Promise<void>((resolve) => this.#onChange = resolve);
    }
  }

  #post(state: StopMessage["state"]): void {
    this.#channel.postMessage({ id: this.#id, state } satisfies StopMessage);
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
