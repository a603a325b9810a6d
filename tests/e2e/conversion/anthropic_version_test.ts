import { assertEquals } from "@std/assert";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

/** `anthropic-version` 2026-10-21 has no sampling parameters (SDK 1.11, 2026-11); 2023-06-01 has them. */

const answer = messagesAnswer();

const messages = [{ role: "user", content: "hi" }];
const sampling = { temperature: 0.5, top_p: 1, top_k: 40 };
const ofMessages = { path: "/v1/messages", body: { max_tokens: 100, messages, ...sampling } };
const ofChat = { path: "/v1/chat/completions", body: { messages, ...sampling, stop: ["END"] } };

interface Case {
  readonly name: string;
  readonly call: typeof ofMessages | typeof ofChat;
  /** The operator's setting, and the caller's header. */
  readonly configured?: string;
  readonly stated?: string;
  readonly sent: string;
  readonly temperature: number | undefined;
}

const cases: readonly Case[] = [
  {
    name: "the caller's own version goes on to the vendor",
    call: ofMessages,
    configured: "2026-10-21",
    stated: "2023-06-01",
    sent: "2023-06-01",
    temperature: 0.5,
  },
  {
    name: "the caller's newer version goes on to the vendor",
    call: ofMessages,
    configured: "2023-06-01",
    stated: "2026-10-21",
    sent: "2026-10-21",
    temperature: 0.5, // the vendor reports this to its caller
  },
  {
    name: "a caller without a version gets the configured one",
    call: ofMessages,
    configured: "2026-10-21",
    sent: "2026-10-21",
    temperature: 0.5,
  },
  {
    name: "a converted request keeps its sampling parameters in the first version",
    call: ofChat,
    sent: "2023-06-01",
    temperature: 0.5,
  },
  {
    name: "a converted request loses its sampling parameters in the new version",
    call: ofChat,
    configured: "2026-10-21",
    sent: "2026-10-21",
    temperature: undefined,
  },
];

for (const { name, call, configured, stated, sent, temperature } of cases) {
  Deno.test(`anthropic-version: ${name}`, async () => {
    await using upstream = startUpstream(() => Response.json(answer));
    await using gateway = await startGateway(
      oneUpstream({ messages: upstream.base }, { ...(configured && { apiVersion: configured }) }),
    );
    const response = await fetch(gateway.base + call.path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${testKey}`,
        "content-type": "application/json",
        ...(stated && { "anthropic-version": stated }),
      },
      body: JSON.stringify({ model: "m", ...call.body }),
    });
    await response.body?.cancel();
    const [seen] = upstream.seen;
    const body = JSON.parse(seen.body);
    assertEquals([response.status, seen.headers.get("anthropic-version")], [200, sent]);
    assertEquals(body.temperature, temperature);
    if (call === ofMessages) return;
    const notes = response.headers.get("tessera-notes") ?? "";
    assertEquals(notes.includes("sampling"), temperature === undefined, notes);
    assertEquals([body.stop_sequences, body.top_k], [["END"], temperature && 40]);
  });
}
