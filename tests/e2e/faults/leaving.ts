import type { Exchange, Inject } from "./fault_upstream.ts";
import { json, pause, sayHalf, sse } from "./injections.ts";

/** A moment of disconnection: the progress of the upstream and of the caller. */
export interface Moment {
  readonly name: string;
  readonly streamed: boolean;
  /** The upstream's answer until its caller disconnects. */
  readonly answer: Inject;
  /** The last thing that the caller reads; absent: it leaves once the upstream has the request. */
  readonly until?: "sign of life" | "content";
  /** The caller stays for a while without reading, so that all buffers between fill up. */
  readonly lingers?: boolean;
  /** The part of the answer that the caller must be charged for. */
  readonly delivers: "nothing" | "something";
}

const nothing = { delivers: "nothing" } as const;
const content = { until: "content", delivers: "something" } as const;

const headers: Inject = ({ connection, streamed }) => connection.begin(streamed ? sse : json);
const silence: Inject = () => Promise.resolve();

export const moments: readonly Moment[] = [
  { name: "before headers, whole", streamed: false, answer: silence, ...nothing },
  { name: "before headers, streamed", streamed: true, answer: silence, ...nothing },
  {
    name: "behind an early response",
    streamed: true,
    answer: silence,
    until: "sign of life",
    ...nothing,
  },
  { name: "before the first byte, whole", streamed: false, answer: headers, ...nothing },
  { name: "before the first byte, streamed", streamed: true, answer: headers, ...nothing },
  { name: "in the middle, whole", streamed: false, answer: sayHalf, ...nothing },
  { name: "after the first bytes", streamed: true, answer: sayHalf, ...content },
  { name: "while it streams", streamed: true, answer: talk, ...content },
  { name: "while nobody reads", streamed: true, answer: flood, lingers: true, ...content },
];

/** Endless content until the peer disconnects. */
async function talk(exchange: Exchange): Promise<void> {
  await sayHalf(exchange);
  const goOn = async () => {
    for (;; await pause()) await exchange.connection.chunk(exchange.answer.more());
  };
  goOn().catch(() => {}); // the peer has disconnected
}

/** The same without pauses. */
async function flood(exchange: Exchange): Promise<void> {
  await sayHalf(exchange);
  const goOn = async () => {
    for (;;) await exchange.connection.chunk(exchange.answer.more().repeat(100));
  };
  goOn().catch(() => {});
}

/** An upstream's view of successive callers. */
export class Watched {
  #asked = Promise.withResolvers<void>();
  #left = Promise.withResolvers<number>();

  /** Resolves when the upstream has sent its part of the answer. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** Resolves with the time at which the connection was closed. */
  get left(): Promise<number> {
    return this.#left.promise;
  }

  /** For the next call. */
  again(): void {
    this.#asked = Promise.withResolvers();
    this.#left = Promise.withResolvers();
  }

  inject(answer: Inject): Inject {
    return async (exchange) => {
      const left = exchange.connection.left().then(() => this.#left.resolve(performance.now()));
      await answer(exchange);
      await pause(); // so that the gateway has read it
      this.#asked.resolve();
      await left;
    };
  }
}
