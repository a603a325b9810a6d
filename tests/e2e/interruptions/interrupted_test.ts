import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { countTextTokens } from "../../../lib/tokens/mod.ts";
import { until } from "../../waiting.ts";
import { readOut } from "../conversion/broken_body.ts";
import { startGateway, testKey } from "../gateway.ts";
import { bodySizes, ofSize, sizeInTurn } from "../load/sized_body.ts";
import {
  bytesOf,
  inTwoParts,
  onlyRow,
  post,
  prompt,
  promptTokens,
  readUntil,
  receivedBy,
  streaming,
  withUpstream,
} from "./interrupted_call.ts";
import { speeches, statedInput } from "./interrupted_wire.ts";

/** The cost of an interrupted call, as its log row states it. */

const words = ["Once", " upon", " a time", ' there\n"was"', " a fox."];
const story = words.join("");
const errorText = "The upstream broke and says so in many words that nobody must pay for";

/** Formats whose upstreams state the input tokens before an interruption. */
const statesInput: ReadonlySet<FormatName> = new Set(["messages", "generate-content"]);

/** A row that is charged for what the caller got: all of the story. */
function assertCharged(
  row: RequestLogRow,
  from: FormatName,
  to: FormatName,
  outcome: RequestLogRow["outcome"],
  bytes?: number,
): void {
  assertEquals([row.outcome, row.usageSource], [outcome, "counted"]);
  assertEquals(row.usage?.outputTokens, countTextTokens(story));
  assertEquals(
    row.usage?.inputTokens,
    statesInput.has(from) ? statedInput : promptTokens(to, bytes),
  );
}

function assertFree(row: RequestLogRow, outcome: RequestLogRow["outcome"]): void {
  assertEquals([row.outcome, row.usageSource, row.usage], [outcome, "none", undefined]);
}

for (const [at, from] of formatNames.entries()) {
  for (const [turn, to] of formatNames.entries()) {
    const { size, bytes } = sizeInTurn(at + turn);
    const way = from === to ? `pass-through ${from}` : `${from} for a caller of ${to}`;
    const { opening, delta, error } = speeches[from];
    const told = [...opening, ...words.map(delta)];

    Deno.test(`interrupted, ${way}: an upstream that breaks off is paid for what it gave`, () =>
      withUpstream(from, () => streaming(told, true), async (gateway) => {
        const body = await bytesOf(await post(gateway, to, true));
        assertEquals(receivedBy(to, body).answer.text(), story);
        assertCharged(await onlyRow(gateway), from, to, "truncated");
      }));

    Deno.test(`interrupted, ${way}: an event that was torn off is not paid for`, () => {
      const torn = delta(" and a dog that was never delivered").slice(0, -3);
      return withUpstream(from, () => streaming([...told, torn], true), async (gateway) => {
        await bytesOf(await post(gateway, to, true));
        const row = await onlyRow(gateway);
        assert(["truncated", "upstream_error"].includes(row.outcome));
        assertCharged(row, from, to, row.outcome);
      });
    });

    Deno.test(`interrupted, ${way}: an error in mid-stream is not paid for`, () => {
      const heard = Promise.withResolvers<void>();
      const answer = () => inTwoParts(told, heard.promise, [error(errorText)]);
      return withUpstream(from, answer, async (gateway) => {
        const response = await post(gateway, to, true);
        const reader = await readUntil(response, to, story);
        heard.resolve();
        await readOut(reader);
        const row = await onlyRow(gateway);
        assertEquals(row.errorCode, "upstream_error");
        assertCharged(row, from, to, "upstream_error");
      });
    });

    Deno.test(`interrupted, ${way}: an upstream that falls silent is paid for what it gave`, () =>
      withUpstream(
        from,
        () => streaming(told, false),
        async (gateway) => {
          await bytesOf(await post(gateway, to, true));
          assertCharged(await onlyRow(gateway), from, to, "timeout");
        },
        { timeouts: { idleMs: 100 } },
      ));

    Deno.test(`interrupted, ${way}, ${size}: a caller that leaves pays for what it got`, () =>
      withUpstream(from, () => streaming(told, false), async (gateway, upstream) => {
        const reader = await readUntil(await post(gateway, to, true, { bytes }), to, story);
        await reader.cancel();
        await upstream.seen[0].aborted;
        assertCharged(await onlyRow(gateway), from, to, "client_gone", bytes);
      }));

    Deno.test(`interrupted, ${way}: before any content nothing is paid for`, () =>
      withUpstream(from, () => streaming(opening, true), async (gateway) => {
        await bytesOf(await post(gateway, to, true));
        assertFree(await onlyRow(gateway), "truncated");
      }));

    Deno.test(`interrupted, ${way}: an answer without usage is counted`, () =>
      withUpstream(
        from,
        () => streaming([...told, ...speeches[from].closing], true),
        async (gateway) => {
          const body = await bytesOf(await post(gateway, to, true));
          assertEquals(receivedBy(to, body).answer.text(), story);
          assertCharged(await onlyRow(gateway), from, to, "completed");
        },
      ));

    Deno.test(`interrupted, ${way}: a whole answer without usage is counted`, () =>
      withUpstream(from, () => Response.json(speeches[from].whole(story)), async (gateway) => {
        await bytesOf(await post(gateway, to, false));
        const row = await onlyRow(gateway);
        assertEquals([row.outcome, row.usageSource], ["completed", "counted"]);
        assertEquals(row.usage?.outputTokens, countTextTokens(story));
        assertEquals(row.usage?.inputTokens, promptTokens(to));
      }));
  }
}

for (const format of formatNames) {
  const { opening, delta } = speeches[format];

  for (const { size, bytes } of bodySizes) {
    Deno.test(`interrupted ${format}, ${size}: a caller that leaves in the middle pays for what it read and no more than was sent`, () => {
      const gone = Promise.withResolvers<void>();
      const first = words.slice(0, 2);
      const late = delta(" late words".repeat(100));
      const answer = () => inTwoParts([...opening, ...first.map(delta)], gone.promise, [late]);
      return withUpstream(format, answer, async (gateway, upstream) => {
        const reader = await readUntil(
          await post(gateway, format, true, { bytes }),
          format,
          first.join(""),
        );
        await reader.cancel();
        await upstream.seen[0].aborted;
        gone.resolve();
        const { usage } = await onlyRow(gateway);
        assertEquals(usage?.outputTokens, countTextTokens(first.join("")));
      });
    });

    Deno.test(`interrupted ${format}, ${size}: a caller that leaves before the answer begins pays nothing`, async () => {
      for (const stream of [true, false]) {
        await withUpstream(
          format,
          () => new Promise<Response>(() => {}),
          async (gateway, upstream) => {
            const caller = new AbortController();
            const answer = post(gateway, format, stream, { bytes, signal: caller.signal }).catch(
              () => {},
            );
            await until(() => upstream.seen.length === 1, "the upstream was not asked");
            caller.abort();
            await answer;
            const row = await onlyRow(gateway);
            assertFree(row, "client_gone");
            assertEquals(row.errorCode, "client_closed");
          },
        );
      }
    });

    Deno.test(`interrupted ${format}, ${size}: a caller that leaves during a silence pays nothing, although the answer comes later`, () => {
      const answer = Promise.withResolvers<Response>();
      return withUpstream(format, () => answer.promise, async (gateway) => {
        const response = await post(gateway, format, true, { bytes });
        const reader = response.body?.getReader();
        await reader?.read(); // a sign of life
        await reader?.cancel();
        answer.resolve(streaming([...opening, ...words.map(delta)], false));
        assertFree(await onlyRow(gateway), "client_gone");
      }, { limits: { sseKeepAliveMs: 10 } });
    });

    Deno.test(`interrupted ${format}, ${size}: signs of life are not paid for`, () =>
      withUpstream(format, () => streaming(opening, false), async (gateway) => {
        const response = await post(gateway, format, true, { bytes });
        const reader = response.body?.getReader();
        for (let alive = 0; alive < opening.length + 3; alive++) await reader?.read();
        await reader?.cancel();
        assertFree(await onlyRow(gateway), "client_gone");
      }, { limits: { sseKeepAliveMs: 10 } }));
  }

  Deno.test(`interrupted ${format}: a whole answer that fails costs nothing`, () =>
    withUpstream(
      format,
      () => Response.json({ error: { message: errorText } }, { status: 500 }),
      async (gateway) => {
        assertEquals((await post(gateway, format, false)).status, 502);
        assertFree(await onlyRow(gateway), "upstream_error");
      },
    ));

  const { size, bytes } = sizeInTurn(formatNames.indexOf(format));
  Deno.test(`interrupted ${format}, ${size}: an embedded answer that its caller leaves is paid for as far as it got`, async () => {
    await using gateway = await startGateway();
    const { path, request } = speeches[format];
    const body = JSON.parse(
      JSON.stringify(ofSize(format, request(`pace 20 ${words.join("").repeat(40)}`, true), bytes))
        .replaceAll(
          '"model":"m"',
          '"model":"tessera-echo"',
        ),
    );
    const response = await fetch(gateway.base + path.replace("/m:", "/tessera-echo:"), {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const reader = response.body?.getReader();
    for (let read = 0; read < 12; read++) await reader?.read();
    await reader?.cancel();
    const row = await onlyRow(gateway);
    assertEquals([row.outcome, row.usageSource], ["client_gone", "counted"]);
    const output = row.usage?.outputTokens ?? 0;
    assert(output > 0 && output < 60, `${output}`);
  });
}

const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const { whole } = speeches["chat-completions"];

Deno.test("interrupted: a whole answer whose usage is all zeros is counted", () =>
  withUpstream(
    "chat-completions",
    () => Response.json({ ...Object(whole(story)), usage: zeros }),
    async (gateway) => {
      await bytesOf(await post(gateway, "chat-completions", false));
      const { usage, usageSource } = await onlyRow(gateway);
      assertEquals([usageSource, usage?.outputTokens], ["counted", countTextTokens(story)]);
      assertEquals(usage?.inputTokens, promptTokens("chat-completions"));
    },
  ));

Deno.test("interrupted: an answer that nobody here can read goes out all the same, at what it states", () => {
  const odd = { object: "unheard-of", choices: "none", usage: zeros };
  return withUpstream("chat-completions", () => Response.json(odd), async (gateway) => {
    const response = await post(gateway, "chat-completions", false);
    assertEquals([response.status, await response.json()], [200, odd]);
    const { outcome, usageSource } = await onlyRow(gateway);
    assertEquals([outcome, usageSource], ["completed", "upstream"]);
  });
});

Deno.test("interrupted: an answer that is folded and ended here by a stop sequence says that it was counted", () => {
  const { opening, delta, closing } = speeches.responses;
  const told = [...opening, ...words.map(delta), ...closing];
  return withUpstream("responses", () => streaming(told, true), async (gateway) => {
    const { request } = speeches["chat-completions"];
    const body = JSON.stringify({ ...Object(request(prompt, false)), stop: [" a time"] });
    const response = await post(gateway, "chat-completions", false, { body });
    assertEquals((await response.json()).choices[0].message.content, "Once upon");
    const { usage, usageSource } = await onlyRow(gateway);
    assertEquals([usageSource, usage?.outputTokens], ["counted", countTextTokens("Once upon")]);
  });
});

Deno.test("interrupted: an embedded answer that a stop of the server cuts off has its row", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "tessera-echo",
      stream: true,
      messages: [{ role: "user", content: `pace 20 ${story.repeat(40)}` }],
    }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = 0; read < 5; read++) await reader?.read();
  gateway.parts.gateway.send.endAll();
  let rest = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    rest += next.value;
  }
  assertStringIncludes(rest, '"code":"shutting_down"');
  const row = await onlyRow(gateway);
  assertEquals(
    [row.outcome, row.errorCode, row.usageSource],
    ["upstream_error", "shutting_down", "counted"],
  );
  assert((row.usage?.outputTokens ?? 0) > 0);
});
