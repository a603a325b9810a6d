import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import {
  type Delivered,
  eventsOf,
  type FormatName,
  formatNames,
  type JsonObject,
  type Part,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { getBalance } from "../../../lib/store/money/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { countTextTokens } from "../../../lib/tokens/mod.ts";
import { until } from "../../waiting.ts";
import { plainRequest } from "../conversion/format_pair.ts";
import { startUpstream } from "../fake_upstream.ts";
import { allRows } from "../faults/settled.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { prompt, receivedBy } from "../interruptions/interrupted_call.ts";
import { speeches } from "../interruptions/interrupted_wire.ts";
import { makeWallet, walletAccountId, walletKey } from "./wallet.ts";

/** A wallet pays for what its caller got of answers that are cut off, empty or end in an error. */

const grantNanoUsd = 1_000_000_000n;
const price = { input: 1, output: 2 };

const kinds = {
  "a call": [{
    type: "tool-call",
    kind: "function",
    id: "call_1",
    name: "look_around_the_garden",
    arguments: '{"for":"a fox and a dog"}',
  }],
  thoughts: [{
    type: "reasoning",
    visibility: "summary",
    text: "They ask for a long story, so a fox it is.",
  }],
  nothing: [],
  "a text": [{ type: "text", text: "Once upon a time there was a fox." }],
} as const satisfies Record<string, readonly Part[]>;
type Kind = keyof typeof kinds;

/** The events of an answer up to its last part, without an end and without usage. */
function beginningOf(format: FormatName, kind: Kind): string[] {
  const encoder = codecs[format].eventEncoder({
    requestId: "req_up",
    model: "m",
    createdAtMs: 0,
    request: { ...plainRequest, stream: true, reasoning: { mode: "enabled", effort: "high" } },
  });
  const events = eventsOf({
    id: "up_1",
    model: "m",
    alternatives: [{ parts: kinds[kind], finishReason: "stop" }],
  });
  return events.filter(({ type }) => type !== "end")
    .flatMap((event) => encoder.push(event)).map(sseText);
}

/** A body whose connection breaks, or ends after one more event, when the caller has got all before. */
function bodyOf(
  texts: readonly string[],
  { got, last }: { readonly got: Promise<void>; readonly last?: string },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const waiting = [...texts];
  return new ReadableStream({
    async pull(controller) {
      const next = waiting.shift();
      if (next !== undefined) return controller.enqueue(encoder.encode(next));
      await got;
      if (last === undefined) return controller.error(new Error("broken"));
      controller.enqueue(encoder.encode(last));
      controller.close();
    },
  }, { highWaterMark: 0 });
}

const json = { headers: { "content-type": "application/json" } };
const sse = { headers: { "content-type": "text/event-stream" } };

/** A gateway before one upstream, with a wallet; its upstream answers each call as the call says. */
async function withWallet(
  from: FormatName,
  run: (pay: (asked: Asked) => Promise<Paid>) => Promise<void>,
): Promise<void> {
  let answer: Asked["answer"] = () => Response.error();
  let got = Promise.withResolvers<void>();
  await using upstream = startUpstream(() => answer(got.promise));
  await using gateway = await startGateway({
    ...oneUpstream({ [from]: upstream.base }),
    models: [{ id: "m", price }],
    limits: { sseKeepAliveMs: 10 },
  });
  const { store } = gateway.parts;
  await makeWallet(store, grantNanoUsd);
  let calls = 0;
  await run(async (asked) => {
    answer = asked.answer;
    got = Promise.withResolvers();
    const bytes = await read(gateway, asked, got.resolve);
    await until(async () => (await allRows(gateway)).length > calls, "no row was written");
    calls++;
    return { row: (await allRows(gateway))[0], got: bytes };
  });
  const rows = await allRows(gateway);
  assertEquals(rows.length, calls);
  const charged = rows.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n);
  const { balanceNanoUsd } = await getBalance(store, walletAccountId);
  assertEquals(grantNanoUsd - balanceNanoUsd, charged);
  await compactRows(store);
  assertEquals((await auditStore(store)).differences, []);
}

interface Asked {
  readonly to: FormatName;
  readonly stream: boolean;
  /** The caller leaves when nothing more comes. */
  readonly leaves?: boolean;
  readonly answer: (got: Promise<void>) => Response;
}

interface Paid {
  readonly row: RequestLogRow;
  /** The bytes that the caller got. */
  readonly got: Uint8Array;
}

/** Signs of life without anything new, after which the caller has got all. */
const quietMax = 12;

async function read(
  { base }: TestGateway,
  { to, stream, leaves }: Asked,
  hasAll: () => void,
): Promise<Uint8Array> {
  const { path, wholePath, request } = speeches[to];
  const caller = new AbortController();
  const asking = fetch(base + (stream ? path : wholePath), {
    method: "POST",
    headers: { authorization: `Bearer ${walletKey}`, "content-type": "application/json" },
    body: JSON.stringify(request(prompt, stream)),
    signal: caller.signal,
  });
  const got: number[] = [];
  try {
    const reader = (await asking).body?.getReader();
    for (let quiet = 0; !leaves || quiet < quietMax; quiet++) {
      if (!stream || quiet >= quietMax) hasAll();
      const next = await reader?.read();
      if (!next || next.done) break;
      const before = receivedBy(to, new Uint8Array(got)).chars;
      got.push(...next.value);
      if (receivedBy(to, new Uint8Array(got)).chars > before) quiet = 0;
    }
  } catch {
    // the answer broke off
  }
  caller.abort();
  return new Uint8Array(got);
}

function assertPaidFor({ outcome, usage, costNanoUsd = 0n }: RequestLogRow, got: Delivered): void {
  if (!got.begun) return assertEquals([usage, costNanoUsd], [undefined, 0n], outcome);
  assertEquals(usage?.outputTokens, tokensOf(got.answer.text()), outcome);
  assertEquals(usage?.reasoningTokens, tokensOf(got.reasoning.text()), outcome);
  const { inputTokens = 0, outputTokens = 0, reasoningTokens = 0 } = usage ?? {};
  const tokens = BigInt(inputTokens) + 2n * BigInt(outputTokens + reasoningTokens);
  assert(inputTokens > 0);
  assertEquals(costNanoUsd, tokens * 1000n, outcome);
}

function tokensOf(text: string): number {
  return text === "" ? 0 : countTextTokens(text);
}

for (const from of formatNames) {
  for (const kind of Object.keys(kinds) as Kind[]) {
    Deno.test(`cut answers, ${from}: ${kind} before the upstream breaks or the caller leaves`, () =>
      withWallet(from, async (pay) => {
        for (const to of formatNames) {
          for (const leaves of [false, true]) {
            const answer = (got: Promise<void>) =>
              new Response(bodyOf(beginningOf(from, kind), { got }), sse);
            const { row, got } = await pay({ to, stream: true, leaves, answer });
            const received = receivedBy(to, got);
            if (kind === "nothing") assertEquals(received.begun, false);
            if (from === to) assertEquals(received.begun, kind !== "nothing");
            assertPaidFor(row, received);
            assert(row.outcome !== "completed", row.outcome);
          }
        }
      }));
  }

  Deno.test(`cut answers, ${from}: a text keeps its charge when the upstream fails after it`, () =>
    withWallet(from, async (pay) => {
      for (const to of formatNames) {
        const last = speeches[from].error("The upstream broke");
        const answer = (got: Promise<void>) =>
          new Response(bodyOf(beginningOf(from, "a text"), { got, last }), sse);
        const { row, got } = await pay({ to, stream: true, answer });
        assertEquals(receivedBy(to, got).begun, true);
        assertPaidFor(row, receivedBy(to, got));
        assertEquals(row.errorCode, "upstream_error");
      }
    }));

  Deno.test(`cut answers, ${from}: half of a whole answer costs nothing`, () =>
    withWallet(from, async (pay) => {
      const whole = JSON.stringify(speeches[from].whole("Once upon a time"));
      for (const to of formatNames) {
        for (const half of [whole.slice(0, whole.length / 2), ""]) {
          for (const ending of [{}, { last: "" }]) {
            const answer = () =>
              new Response(bodyOf([half], { got: Promise.resolve(), ...ending }), json);
            const { row } = await pay({ to, stream: false, answer });
            assertPaidFor(row, receivedBy(to, new Uint8Array()));
          }
        }
      }
    }));

  Deno.test(`cut answers, ${from}: an answer without content costs nothing`, () =>
    withWallet(from, async (pay) => {
      for (const to of formatNames) {
        for (const body of emptyAnswers[from]) {
          const { row } = await pay({ to, stream: false, answer: () => Response.json(body) });
          assertPaidFor(row, receivedBy(to, new Uint8Array()));
        }
        const empty = () => new Response("", sse);
        const { row } = await pay({ to, stream: true, answer: empty });
        assertPaidFor(row, receivedBy(to, new Uint8Array()));
      }
    }));
}

/** Whole answers with status 200 that hold nothing. */
const emptyAnswers: Readonly<Record<FormatName, readonly JsonObject[]>> = {
  "chat-completions": [{}, {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [],
  }],
  responses: [{}, {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: [],
  }],
  messages: [{}, {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: "end_turn",
  }],
  "generate-content": [{}, { candidates: [] }],
};
