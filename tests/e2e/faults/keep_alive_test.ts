import { assert, assertEquals, assertRejects } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import { signsIn } from "../conversion/signs_of_life.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";
import type { MatrixClient } from "../sdk/matrix.ts";
import { chatClient } from "../sdk/matrix_chat.ts";
import { googleClient } from "../sdk/matrix_google.ts";
import { messagesClient } from "../sdk/matrix_messages.ts";
import { responsesClient } from "../sdk/matrix_responses.ts";
import { type FaultUpstream, type Inject, startFaultUpstream } from "./fault_upstream.ts";
import { postTo } from "./faulty_gateway.ts";
import { pause, properly, refusing, sayHalf } from "./injections.ts";
import { judgeStream } from "./judged.ts";
import { story } from "./proper_answer.ts";

/** Upstreams that stay silent for a while, and keep-alives that clients of each format accept. */

const keepAliveMs = 20;
const silentMs = 200;
const signsMin = 3;

const clients: readonly MatrixClient[] = [
  chatClient,
  responsesClient,
  messagesClient,
  googleClient,
];

const otherOf: Readonly<Record<FormatName, FormatName>> = {
  "chat-completions": "messages",
  messages: "responses",
  responses: "generate-content",
  "generate-content": "chat-completions",
};

const silences: Readonly<Record<string, Inject>> = {
  "before the answer": async (exchange) => {
    await pause(silentMs);
    await properly(exchange);
  },
  "in the middle": async (exchange) => {
    await sayHalf(exchange);
    await pause(silentMs);
    const { connection, answer } = exchange;
    for (const text of [...answer.deltas.slice(2), answer.closing]) await connection.chunk(text);
    await connection.end();
  },
};

for (const client of clients) {
  for (const [when, inject] of Object.entries(silences)) {
    for (const spoken of [client.format, otherOf[client.format]]) {
      const how = `${spoken} for ${client.format}, silent ${when}`;

      Deno.test(`keep-alives, ${how}: the vendor's client reads on, and the protocol is kept`, async () => {
        await using upstream = startFaultUpstream([{ name: "silent", inject }]);
        await using gateway = await startSilentGateway(upstream, spoken);
        const conversation = client.start(
          { model: "m" },
          { base: gateway.base, key: testKey, fetch },
        );
        conversation.say("Tell me a story of a fox");
        assertEquals((await conversation.ask({ stream: true })).text, story.join(""));
        const response = await postTo(gateway, client.format, { model: "m", stream: true });
        const body = await textSoFar(response);
        const { type, text, problems } = judgeStream(client.format, body);
        assertEquals([type, text, problems], ["completes", story.join(""), []]);
        const signs = signsIn(body);
        assert(signs >= signsMin, `there are ${signs} signs of life`);
      });
    }
  }
}

const failsLate: Inject = async (exchange) => {
  await pause(silentMs);
  await refusing("upstream_error", 500, {})(exchange);
};

for (const { format, start } of clients) {
  Deno.test(`keep-alives, ${format}: an upstream that fails after a silence is an error that the vendor's client throws`, async () => {
    await using upstream = startFaultUpstream([{ name: "silent", inject: failsLate }]);
    await using gateway = await startSilentGateway(upstream, format);
    const response = await postTo(gateway, format, { model: "m", stream: true });
    const { type, text, problems } = judgeStream(format, await textSoFar(response));
    assertEquals([type, text, problems], ["breaks", "", []]);
    const conversation = start({ model: "m" }, { base: gateway.base, key: testKey, fetch });
    conversation.say("Tell me a story of a fox");
    await assertRejects(() => conversation.ask({ stream: true }));
  });

  Deno.test(`keep-alives, ${format}: another upstream answers behind them when the first fails`, async () => {
    await using upstream = startFaultUpstream([
      { name: "silent", inject: failsLate },
      { name: "healthy", inject: properly },
    ]);
    await using gateway = await startSilentGateway(upstream, format, ["healthy"]);
    const response = await postTo(gateway, format, { model: "m", stream: true });
    const { type, text, problems } = judgeStream(format, await textSoFar(response));
    assertEquals([type, text, problems], ["completes", story.join(""), []]);
    assertEquals(upstream.asked.map(({ fault }) => fault), ["silent", "healthy"]);
  });
}

for (const [when, inject] of Object.entries(silences)) {
  Deno.test(`keep-alives in a JSON array, silent ${when}: it stays one`, async () => {
    await using upstream = startFaultUpstream([{ name: "silent", inject }]);
    await using gateway = await startSilentGateway(upstream, "generate-content");
    const response = await fetch(`${gateway.base}/v1beta/models/m:streamGenerateContent`, {
      method: "POST",
      headers: { "x-goog-api-key": testKey, "content-type": "application/json" },
      body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Tell me" }] }] }),
    });
    const body = await textSoFar(response);
    assert(body.length - body.replace(/\n(?=\n)|^\n/g, "").length >= signsMin, "no sign of life");
    assert(Array.isArray(JSON.parse(body)));
  });
}

function startSilentGateway(
  upstream: FaultUpstream,
  format: FormatName,
  others: readonly string[] = [],
): Promise<TestGateway> {
  return startGateway({
    limits: { sseKeepAliveMs: keepAliveMs },
    upstreams: ["silent", ...others].map((id, at) => ({
      id,
      endpoints: { [format]: upstream.base(id, format) },
      models: ["m"],
      priority: -at,
    })),
  });
}
