import { assertEquals, assertStringIncludes } from "@std/assert";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

/** Errors of the messages format that its clients know by the code in their details. */

function refusing(status: number, type: string, errorCode: string, message = "words") {
  const error = { type, message, details: { error_code: errorCode } };
  return () => Response.json({ type: "error", error }, { status });
}

function ask(base: string, more: Record<string, unknown> = {}) {
  return fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": testKey, "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      max_tokens: 100,
      messages: [{ role: "user", content: "hi" }],
      ...more,
    }),
  });
}

for (
  const { status, type, code } of [
    { status: 404, type: "not_found_error", code: "thread_not_found" },
    { status: 400, type: "invalid_request_error", code: "thread_already_continued" },
    { status: 403, type: "permission_error", code: "user_profile_not_billable" },
  ]
) {
  Deno.test(`a caller of the messages format gets ${code} with the code in its details`, async () => {
    await using upstream = startUpstream(refusing(status, type, code));
    await using gateway = await startGateway(oneUpstream({ messages: upstream.base }));
    const answer = await ask(gateway.base, {
      thread: { type: "continue", previous_message_id: "msg_1" },
    });
    const { error } = await answer.json();
    assertEquals(answer.status, status === 404 ? 404 : 400);
    assertEquals(error.details, { error_code: code });
    assertStringIncludes(error.message, "Not charged.");
  });
}

Deno.test("a credential whose contract is used up gives way to the next one, and its vendor's words stay here", async () => {
  const spent = refusing(429, "rate_limit_error", "contract_spend_limit_reached", "Acme is broke");
  await using upstream = startUpstream(({ headers }) =>
    headers.get("x-api-key") === "spent" ? spent() : Response.json(messagesAnswer())
  );
  const withKeys = (...apiKeys: string[]) => oneUpstream({ messages: upstream.base }, { apiKeys });
  await using both = await startGateway(withKeys("spent", "paid"));
  const statuses: number[] = [];
  for (let call = 0; call < 12; call++) {
    const answer = await ask(both.base);
    statuses.push(answer.status);
    await answer.body?.cancel();
  }
  assertEquals(statuses, Array(12).fill(200));
  const tried = upstream.seen.filter(({ headers }) => headers.get("x-api-key") === "spent").length;
  assertEquals(tried <= 3, true, `the spent credential was tried ${tried} times in 12 calls`);

  await using alone = await startGateway(withKeys("spent"));
  const answer = await ask(alone.base);
  const text = await answer.text();
  assertEquals(answer.status, 502);
  assertEquals(text.includes("Acme"), false);
});

Deno.test("a client with a thread gets the error that asks for the whole conversation, and nothing is sent", async () => {
  await using upstream = startUpstream(() => new Response("{}"));
  await using gateway = await startGateway(oneUpstream({ "chat-completions": upstream.base }));
  const answer = await ask(gateway.base, { thread: { type: "create" } });
  const { error } = await answer.json();
  assertEquals([answer.status, error.details], [
    400,
    { error_code: "thread_unsupported_request" },
  ]);
  assertEquals(upstream.seen.length, 0);
});
