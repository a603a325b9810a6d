import type { Exchange, Inject } from "./fault_upstream.ts";
import { json, pause, sayHalf, sse } from "./injections.ts";

/** When a caller leaves: how far its upstream is by then, and what the caller has read. */
export interface Moment {
  readonly name: string;
  readonly streamed: boolean;
  /** How the upstream answers until its caller is gone. */
  readonly answer: Inject;
  /** Until when the caller reads; absent: until the upstream has been asked. */
  readonly until?: "sign of life" | "content";
  /** The caller stays for a while without reading on, so that everything in between is full. */
  readonly lingers?: boolean;
  /** What of the answer the caller must have been charged for. */
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

/** Content without end, as long as somebody listens. */
async function talk(exchange: Exchange): Promise<void> {
  await sayHalf(exchange);
  const goOn = async () => {
    for (;; await pause()) await exchange.connection.chunk(exchange.answer.more());
  };
  goOn().catch(() => {}); // nobody listens any more
}

/** The same as fast as it goes. */
async function flood(exchange: Exchange): Promise<void> {
  await sayHalf(exchange);
  const goOn = async () => {
    for (;;) await exchange.connection.chunk(exchange.answer.more().repeat(100));
  };
  goOn().catch(() => {});
}

/** What an upstream sees of its callers, one after the other. */
export class Watched {
  #asked = Promise.withResolvers<void>();
  #left = Promise.withResolvers<number>();

  /** Resolves when the answer stands as far as it goes. */
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
