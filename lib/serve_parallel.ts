import type { Config } from "./config.ts";
import { stoppingResponse } from "./dispatcher.ts";
import { crossOrigin } from "./http/cross_origin.ts";
import { endWithMessage, onStopSignal, type Parts } from "./serve.ts";

/** The parts of one isolate; its handler accepts connections of any kind. */
interface IsolateParts extends Omit<Parts, "fetch" | "thrownResponse"> {
  readonly config: Parts["config"] & Pick<Config, "corsOrigins">;
  readonly fetch: Deno.ServeHandler;
}

/**
 * The handler of one isolate of `deno serve --parallel`, which cannot stop the server itself. Every
 * isolate receives SIGTERM and SIGINT. It then refuses new requests, lets answers in flight end
 * within the grace time, ends the others in their format's error form and closes the store. The
 * process exits with 0 once all isolates are done.
 */
export function handlerOfIsolate(parts: IsolateParts): Deno.ServeHandler {
  const calls = new OpenCalls();
  const others = new Others();
  const readers = crossOrigin(parts.config.corsOrigins);
  let isStopping = false;
  onStopSignal(() => {
    isStopping = true;
    void stop(parts, calls, others);
  });
  return (request, info) => {
    if (isStopping) return stoppingResponse(request, readers);
    calls.add(info.completed);
    return parts.fetch(request, info);
  };
}

async function stop(parts: IsolateParts, calls: OpenCalls, others: Others): Promise<void> {
  const { limits: { stopGraceMs }, lastWordsMs } = parts.config;
  const latest = later(stopGraceMs + lastWordsMs); // a client that does not read must not delay the stop
  const othersLatest = later(stopGraceMs + 2 * lastWordsMs); // one that closes at `latest` needs time
  others.begin();
  setTimeout(() => parts.gateway.send.endAll(), stopGraceMs);
  await Promise.race([calls.over(), latest]);
  await parts.close().catch(endWithMessage);
  await Promise.race([others.over(), othersLatest]);
  Deno.exit(0);
}

/** The requests whose answers have not ended. */
class OpenCalls {
  #count = 0;
  #onOver?: () => void;

  add(completed: Promise<void>): void {
    this.#count++;
    const end = () => {
      if (--this.#count === 0) this.#onOver?.();
    };
    completed.then(end, end); // rejects if the caller has disconnected
  }

  /** Resolves when no request is open. */
  over(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onOver = resolve);
  }
}

/** The time for all isolates to receive the stop signal. */
const heardMs = 250;

interface Word {
  readonly id: string;
  readonly says: "stopping" | "stopped";
}

/** The other isolates of this process that have not stopped yet. */
class Others {
  readonly #id = crypto.randomUUID();
  readonly #channel = new BroadcastChannel("tessera stop");
  readonly #stopping = new Set<string>();
  #onChange = () => {};

  constructor() {
    this.#channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (data.says === "stopping") this.#stopping.add(data.id);
      else this.#stopping.delete(data.id);
      this.#onChange();
    };
  }

  begin(): void {
    this.#say("stopping");
  }

  /** Reports that this isolate has stopped; resolves when the last one has. */
  async over(): Promise<void> {
    this.#say("stopped");
    await later(heardMs);
    while (this.#stopping.size > 0) {
      await new Promise<void>((resolve) => this.#onChange = resolve);
    }
  }

  #say(says: Word["says"]): void {
    this.#channel.postMessage({ id: this.#id, says } satisfies Word);
  }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
