import { assert, assertEquals } from "@std/assert";
import { type FormatName, isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { SseReader } from "../../../lib/http/stream/sse.ts";
import { countRequestTokens, estimatedInputTokens } from "../../../lib/tokens/mod.ts";
import { testKey } from "../gateway.ts";
import { streaming, withUpstream } from "../interruptions/interrupted_call.ts";
import { speeches, statedInput } from "../interruptions/interrupted_wire.ts";
import { ofSize } from "../load/sized_body.ts";

/**
 * The prompt's usage in the first event of a messages stream: agents' context meters and LangChain
 * read it there.
 */

const sse = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;

/** The last chunk of a chat stream states usage; agents' prompts come from a cache for the most part. */
const chatUsage = sse({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [],
  usage: {
    prompt_tokens: 30_000,
    completion_tokens: 5,
    total_tokens: 30_005,
    prompt_tokens_details: { cached_tokens: 29_000 },
  },
});

function request(bytes: number, stream: boolean): JsonObject {
  return ofSize("messages", speeches.messages.request("Tell me a story.", stream), bytes);
}

async function ask(base: string, body: JsonObject): Promise<Response> {
  return await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": testKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** The usage of `message_start` and that of `message_delta`. */
async function statedUsage(response: Response): Promise<[JsonObject, JsonObject]> {
  const events = new SseReader().push(new Uint8Array(await response.arrayBuffer()))
    .map(({ event }) => JSON.parse(event.data));
  const start = events.find(({ type }) => type === "message_start")?.message.usage;
  const end = events.find(({ type }) => type === "message_delta")?.usage;
  assert(isJsonObject(start) && isJsonObject(end));
  return [start, end];
}

function streamed(format: FormatName, usage: readonly string[] = []): Response {
  const { opening, delta, closing } = speeches[format];
  const [ending = "", ...rest] = closing;
  return streaming([...opening, delta("Once"), ending, ...usage, ...rest], true);
}

for (const bytes of [300, 20_000, 200_000]) {
  Deno.test(`message_start estimates a converted prompt of ${bytes} bytes, the end has the exact count`, async () => {
    const body = request(bytes, true);
    const counted = countRequestTokens(
      codecs.messages.decodeRequest({ path: "", search: {}, headers: {}, body }),
    );
    await withUpstream(
      "chat-completions",
      () => streamed("chat-completions", [chatUsage]),
      async (gateway) => {
        const [start, end] = await statedUsage(await ask(gateway.base, body));
        const said = Number(start.input_tokens);
        assert(said > counted * 0.5 && said < counted * 3, `${said} of ${counted} tokens`);
        assertEquals(
          [end.input_tokens, end.cache_read_input_tokens, end.output_tokens],
          [1_000, 29_000, 5],
        );
      },
    );
  });
}

Deno.test("message_start has the upstream's usage if that comes first", async () => {
  await withUpstream(
    "generate-content",
    () => streamed("generate-content"),
    async (gateway) => {
      const [start] = await statedUsage(await ask(gateway.base, request(20_000, true)));
      assertEquals([start.input_tokens, start.output_tokens], [statedInput, 1]);
    },
  );
});

Deno.test("message_start has the usage of a whole answer that is streamed to its caller", async () => {
  const whole = {
    ...Object(speeches["chat-completions"].whole("Once")),
    usage: {
      prompt_tokens: 900,
      completion_tokens: 5,
      total_tokens: 905,
      prompt_tokens_details: { cached_tokens: 800 },
    },
  };
  await withUpstream("chat-completions", () => Response.json(whole), async (gateway) => {
    const [start] = await statedUsage(await ask(gateway.base, request(20_000, true)));
    assertEquals([start.input_tokens, start.cache_read_input_tokens], [100, 800]);
  });
});

Deno.test("a whole answer without stated usage has an estimate of the prompt", async () => {
  await withUpstream(
    "chat-completions",
    () => Response.json(speeches["chat-completions"].whole("Once")),
    async (gateway) => {
      const body = await (await ask(gateway.base, request(20_000, false))).json();
      assert(body.usage.input_tokens > 2_000, `${body.usage.input_tokens} tokens`);
    },
  );
});

Deno.test("a prompt is estimated once, however often somebody asks", () => {
  let reads = 0;
  const messages = Object(request(20_000, true)).messages;
  const body: JsonObject = {
    model: "m",
    get messages() {
      reads++;
      return messages;
    },
  };
  const first = estimatedInputTokens(body);
  assert(reads > 0);
  reads = 0;
  assertEquals([estimatedInputTokens(body), reads], [first, 0]);
});
