import type { ErrorCode } from "../../../lib/canonical/mod.ts";
import type { UpstreamTimeouts } from "../../../lib/store/mod.ts";
import type { Injection } from "./fault_upstream.ts";
import {
  answerIn,
  drip,
  errorEvents,
  flood,
  garbage,
  hang,
  json,
  pause,
  properly,
  properManner,
  refusing,
  sayAll,
  sayHalf,
  sayHalfJson,
  sayHeadersForEver,
  sayMore,
  sayUnmarked,
  sse,
  talkForEver,
} from "./injections.ts";

/**
 * The outcome of a call whose only upstream has a fault: a proper answer, an error instead of one,
 * or an error in the middle of a stream.
 */
export type Ending =
  | { readonly type: "completes" }
  | { readonly type: "fails" | "breaks"; readonly code: ErrorCode };

/** A fault with its required outcome. */
export interface Fault extends Injection {
  readonly timeouts?: Partial<UpstreamTimeouts>;
  readonly whole: Ending;
  readonly streamed: Ending;
  /** The error's required `retry-after`, in seconds. */
  readonly retryAfter?: number;
  /** Too much work for every pair of formats. */
  readonly isHeavy?: boolean;
  /** Nobody listens at the upstream's address. */
  readonly refuses?: boolean;
}

const html = "<!doctype html><title>Sign in</title><p>You are not connected to the network.\n\n";

/** Small enough to wait for, and large enough for a busy machine not to meet them by itself. */
const silence = { firstByteMs: 1_000 };
const pausing = { firstByteMs: 10_000, idleMs: 800 };
const endless = { totalMs: 2_000 };
const completes: Ending = { type: "completes" };
const fails = (code: ErrorCode): Ending => ({ type: "fails", code });
const breaks = (code: ErrorCode): Ending => ({ type: "breaks", code });
const both = (ending: Ending) => ({ whole: ending, streamed: ending });

/** Every way in which an upstream is known to break, and what its caller gets. */
export const faults: readonly Fault[] = [
  {
    name: "connection refused",
    refuses: true,
    ...both(fails("upstream_unreachable")),
  },
  {
    name: "accepted and reset",
    resets: "at once",
    ...both(fails("upstream_unreachable")),
  },
  {
    name: "silent before headers",
    inject: hang,
    timeouts: silence,
    ...both(fails("upstream_timeout")),
  },
  {
    name: "silent after headers",
    inject: async (exchange) => {
      await exchange.connection.begin(exchange.streamed ? sse : json);
      await hang(exchange);
    },
    timeouts: silence,
    ...both(fails("upstream_timeout")),
  },
  {
    name: "silent in the middle",
    inject: async (exchange) => {
      await sayHalf(exchange);
      await hang(exchange);
    },
    timeouts: pausing,
    whole: fails("upstream_timeout"),
    streamed: breaks("upstream_timeout"),
  },
  {
    name: "silent after the end",
    inject: async (exchange) => {
      await sayAll(exchange);
      await hang(exchange);
    },
    timeouts: pausing,
    ...both(completes),
  },
  {
    name: "reset in the middle",
    inject: sayHalf,
    resets: "at last",
    whole: fails("upstream_truncated"),
    streamed: breaks("upstream_truncated"),
  },
  {
    name: "reset after the end",
    inject: async (exchange) => {
      await sayAll(exchange);
      await pause();
    },
    resets: "at last",
    ...both(completes),
  },
  {
    name: "no terminal event",
    inject: async (exchange) => {
      await sayHalf(exchange);
      if (exchange.streamed) await exchange.connection.end();
    },
    whole: fails("upstream_truncated"),
    streamed: breaks("upstream_truncated"),
  },
  {
    name: "finished without its mark",
    inject: async (exchange) => {
      await sayUnmarked(exchange);
      if (exchange.streamed) await exchange.connection.end();
    },
    ...both(completes),
  },
  {
    name: "finished without its mark, then reset",
    inject: sayUnmarked,
    resets: "at last",
    ...both(completes),
  },
  {
    name: "finished without its mark, then silent",
    inject: async (exchange) => {
      await sayUnmarked(exchange);
      await hang(exchange);
    },
    ...both(completes),
  },
  {
    name: "torn off behind its finish",
    inject: async (exchange) => {
      await sayUnmarked(exchange);
      if (!exchange.streamed) return;
      await exchange.connection.chunk('data: {"choices":[],"usage":{"prompt_tok');
      await exchange.connection.end();
    },
    ...both(completes),
  },
  {
    name: "says more after the end",
    inject: sayMore,
    ...both(completes),
  },
  {
    name: "no HTTP",
    inject: ({ connection }) => connection.write("SSH-2.0-OpenSSH_9.7\r\n\0\x01\x02\x03"),
    ...both(fails("upstream_invalid_response")),
  },
  {
    name: "garbage body",
    inject: ({ connection, streamed }) =>
      connection.whole(200, streamed ? sse : json, garbage(4_096)),
    whole: fails("upstream_invalid_response"),
    streamed: fails("upstream_truncated"),
  },
  {
    name: "web page",
    inject: ({ connection }) => connection.whole(200, "text/html", html),
    ...both(fails("upstream_invalid_response")),
  },
  {
    name: "half JSON",
    inject: sayHalfJson,
    whole: fails("upstream_invalid_response"),
    streamed: breaks("upstream_invalid_response"),
  },
  {
    name: "wrong content type",
    inject: (exchange) =>
      answerIn(exchange, {
        ...properManner(exchange),
        type: exchange.streamed ? json : "text/html",
      }),
    ...both(completes),
  },
  {
    name: "other framing",
    inject: (exchange) =>
      answerIn(exchange, properManner({ ...exchange, streamed: !exchange.streamed })),
    ...both(completes),
  },
  {
    name: "other framing, then silent",
    inject: async (exchange) => {
      await sayAll(exchange, properManner({ ...exchange, streamed: !exchange.streamed }));
      await hang(exchange);
    },
    timeouts: pausing,
    ...both(completes),
  },
  {
    name: "slow drip",
    isHeavy: true,
    inject: drip,
    timeouts: { totalMs: 60_000 },
    ...both(completes),
  },
  {
    name: "429 with retry-after",
    inject: refusing("rate_limit_exceeded", 429, { "retry-after": "7" }),
    retryAfter: 7,
    ...both(fails("rate_limit_exceeded")),
  },
  {
    name: "500",
    inject: refusing("upstream_error", 500, {}),
    ...both(fails("upstream_error")),
  },
  {
    name: "503",
    inject: refusing("upstream_overloaded", 503, {}),
    ...both(fails("upstream_overloaded")),
  },
  {
    name: "redirect",
    inject: ({ connection }) =>
      connection.head(302, { location: "/elsewhere", "content-length": "0" }),
    ...both(fails("upstream_invalid_response")),
  },
  {
    name: "empty 200",
    inject: ({ connection, streamed }) => connection.whole(200, streamed ? sse : json, ""),
    whole: fails("upstream_invalid_response"),
    streamed: fails("upstream_truncated"),
  },
  {
    name: "error with 200",
    inject: async (exchange) => {
      const { connection, streamed } = exchange;
      if (!streamed) return await refusing("upstream_error", 200, {})(exchange);
      await connection.begin(sse);
      await connection.chunk(errorEvents(exchange, false));
      await connection.end();
    },
    ...both(fails("upstream_error")),
  },
  {
    name: "error in the middle",
    inject: async (exchange) => {
      await sayHalf(exchange);
      if (!exchange.streamed) return;
      await exchange.connection.chunk(errorEvents(exchange, true));
      await exchange.connection.end();
    },
    whole: fails("upstream_truncated"),
    streamed: breaks("upstream_error"),
  },
  {
    name: "only a comment",
    inject: async ({ connection, streamed }) => {
      await connection.begin(streamed ? sse : json);
      await connection.chunk(streamed ? ": processing\n\n" : "  ");
      await pause();
      await connection.end();
    },
    whole: fails("upstream_invalid_response"),
    streamed: fails("upstream_truncated"),
  },
  {
    name: "event of 5 MB",
    isHeavy: true,
    texts: ["x".repeat(5_000_000)],
    inject: properly,
    ...both(completes),
  },
  {
    name: "flood",
    isHeavy: true,
    inject: flood,
    ...both(fails("upstream_invalid_response")),
  },
  {
    name: "answer without end",
    inject: talkForEver,
    timeouts: endless,
    whole: fails("upstream_timeout"),
    streamed: breaks("upstream_timeout"),
  },
  {
    name: "headers without end",
    isHeavy: true,
    inject: sayHeadersForEver,
    timeouts: silence,
    ...both(fails("upstream_timeout")),
  },
];
