import { withSources } from "../../../lib/upstreams/credentials/mod.ts";
import type { CredentialSource, Machine } from "../../../lib/upstreams/credentials/mod.ts";
import { Deadline } from "../../../lib/upstreams/deadline.ts";
import { type Outbound, type Send, UpstreamAnswer } from "../../../lib/upstreams/send.ts";
import type { Cloud } from "../../../lib/store/catalog/mod.ts";

export type Handler = (request: Request) => Response | Promise<Response>;

/** A time that only the test changes, in epoch milliseconds. */
export class Clock {
  nowMs = Date.parse("2026-11-30T12:00:00Z");
  readonly now = () => this.nowMs;

  pass(minutes: number): void {
    this.nowMs += minutes * 60_000;
  }
}

/** A `send` to handlers by origin, without a network. Counts the requests of each. */
export class Network {
  readonly requests: Request[] = [];
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(handlers: Readonly<Record<string, Handler>>) {
    this.#handlers = handlers;
  }

  count(origin: string): number {
    return this.requests.filter(({ url }) => new URL(url).origin === origin).length;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    this.requests.push(request.clone());
    const handler = this.#handlers[new URL(request.url).origin];
    if (!handler) throw new Error(`Nothing is at ${request.url}`);
    return await handler(request);
  };

  readonly send: Send = Object.assign(
    async (
      { url, method = "POST", headers, body }: Outbound,
      timeouts: Timeouts,
      caller: AbortSignal,
    ) => {
      const response = await this.fetch(new Request(url, { method, headers, body: body ?? null }));
      const bytes = await response.bytes();
      const stream = new ReadableStream({
        type: "bytes",
        start: (controller) => {
          if (bytes.length > 0) controller.enqueue(bytes);
          controller.close();
        },
      });
      const whole = new Response(stream, { status: response.status, headers: response.headers });
      return new UpstreamAnswer(whole, new Deadline(timeouts, { caller, onClose: () => {} }));
    },
    { endAll: () => {}, ended: new AbortController().signal },
  );
}

/** Waits up to two seconds for work in the background. */
export async function until(isDone: () => boolean): Promise<void> {
  for (let n = 0; n < 400 && !isDone(); n++) await new Promise((resolve) => setTimeout(resolve, 5));
}

type Timeouts = Parameters<Send>[1];

export const timeouts: Timeouts = {
  connectMs: 5_000,
  firstByteMs: 5_000,
  idleMs: 5_000,
  totalMs: 5_000,
};

export const nobody = new AbortController().signal;

interface Calling {
  readonly network: Network;
  readonly clock: Clock;
  readonly source: CredentialSource | Record<string, unknown>;
  readonly cloud?: Cloud;
  readonly machine?: Partial<Machine>;
  readonly origin?: "config" | "console";
}

/** Calls an upstream with a credential source; each call resolves with its status and text. */
export function caller({ network, clock, source, cloud, machine, origin = "config" }: Calling) {
  const whole = { variables: {}, isForAll: false, ...machine };
  const send = withSources(network.send, { machine: whole, now: clock.now });
  const known = source as CredentialSource; // the cases are valid
  const used = {
    source: known,
    secret: JSON.stringify(source),
    upstream: { origin, ...(cloud && { cloud }) },
  };
  return async (url: string, headers: Record<string, string> = {}, body = '{"a":1}') => {
    const outbound: Outbound = { url, origin, headers, body, source: used };
    const answer = await send(outbound, timeouts, nobody);
    return `${answer.status} ${new TextDecoder().decode(await answer.readRest())}`;
  };
}
