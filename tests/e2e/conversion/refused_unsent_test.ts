import { assertEquals, assertMatch } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

/** A request that cannot be converted never leaves the gateway: its error blames no upstream. */

interface Broken {
  readonly path: string;
  readonly body: JsonObject;
  /** The place of the fault, as the error names it. */
  readonly place: string;
}

const broken: Readonly<Record<FormatName, Broken>> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "m", messages: [{ role: "user", content: 7 }] },
    place: "messages[0].content",
  },
  responses: {
    path: "/v1/responses",
    body: { model: "m", input: [{ role: "user", content: 7 }] },
    place: "input[0].content",
  },
  messages: {
    path: "/v1/messages",
    body: { model: "m", max_tokens: 9, messages: [{ role: "user", content: 7 }] },
    place: "messages[0].content",
  },
  "generate-content": {
    path: "/v1beta/models/m:generateContent",
    body: { contents: [{ role: "user", parts: 7 }] },
    place: "contents[0].parts",
  },
};

for (const from of formatNames) {
  for (const to of formatNames.filter((to) => to !== from)) {
    Deno.test(`a wrong field in ${from} is the request's fault and not ${to}'s: nothing is sent`, async () => {
      await using upstream = startUpstream(() => new Response("{}"));
      await using gateway = await startGateway(oneUpstream({ [to]: upstream.base }));
      const { path, body, place } = broken[from];
      const answer = await fetch(`${gateway.base}${path}`, {
        method: "POST",
        headers: { "x-api-key": testKey, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const { error: { message } } = await answer.json();
      assertEquals([answer.status, upstream.seen.length], [400, 0]);
      assertMatch(message, /^Cannot decode request: .* Not charged\.$/);
      assertEquals(message.includes(place), true, message);
      assertEquals(
        message.includes("The fault is in the request, so it was not sent."),
        true,
        message,
      );
      assertEquals(/reject|upstream/.test(message), false, message);
    });
  }
}

Deno.test("a file of another vendor is the request's fault, too", async () => {
  await using upstream = startUpstream(() => new Response("{}"));
  await using gateway = await startGateway(oneUpstream({ "generate-content": upstream.base }));
  const content = [{ type: "file", file: { file_id: "file_1" } }];
  const answer = await fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
  });
  const { error } = await answer.json();
  assertEquals([answer.status, upstream.seen.length], [400, 0]);
  assertEquals(
    error.message,
    "Cannot encode request: turns[0].parts[0] is a file stored by another vendor. " +
      "Send its bytes or a URL instead. The fault is in the request, so it was not sent. Not charged.",
  );
});
