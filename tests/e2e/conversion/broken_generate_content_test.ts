import { GoogleGenAI } from "@google/genai";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { until } from "../../waiting.ts";
import type { startUpstream } from "../fake_upstream.ts";
import { type TestGateway, testKey } from "../gateway.ts";
import { onlyRow, prompt, streaming, withUpstream } from "../interruptions/interrupted_call.ts";
import { speeches } from "../interruptions/interrupted_wire.ts";
import { rawCall } from "../load/raw_call.ts";
import { ofSize, words } from "../load/sized_body.ts";

/**
 * Streams of generate-content that break. The vendor's older SDK (@google/generative-ai) and LangChain
 * by it ignore an error event and take what was closed for whole, so the connection breaks off behind it.
 */

const big = words(100_000);
const pieces = big.match(/.{1,500}/gs) ?? [];
const paths = {
  sse: "/v1beta/models/m:streamGenerateContent?alt=sse",
  "json-array": "/v1beta/models/m:streamGenerateContent",
} as const;
const body = (bytes: number) =>
  JSON.stringify(
    ofSize("generate-content", speeches["generate-content"].request(prompt, true), bytes),
  );
/** The last chunk of a chunked body, which closes it properly. */
const properEnd = "\r\n0\r\n\r\n";

type Ending = "an error" | "a close" | "a proper end";
const endings: readonly Ending[] = ["an error", "a close", "a proper end"];

function answer(format: FormatName, ending: Ending): Response {
  const { opening, delta, error, closing } = speeches[format];
  const last = { "an error": [error("Overloaded")], "a close": [], "a proper end": closing };
  return streaming([...opening, ...pieces.map(delta), ...last[ending]], true);
}

function withAnswer(
  format: FormatName,
  ending: Ending,
  run: (gateway: TestGateway, upstream: ReturnType<typeof startUpstream>) => Promise<void>,
) {
  return withUpstream(format, () => answer(format, ending), run);
}

for (const spoken of ["generate-content", "chat-completions"] as const) {
  for (const [framing, path] of Object.entries(paths)) {
    for (const ending of endings) {
      const breaks = ending !== "a proper end";
      Deno.test(`${framing} from ${spoken} that ends with ${ending} ${breaks ? "breaks off behind its error" : "is closed"}`, () =>
        withAnswer(spoken, ending, async (gateway) => {
          using client = await rawCall(gateway.base, { path, body: body(30_000) });
          const got = breaks ? await client.readAll() : await client.readUntil(properEnd);
          assert(got.startsWith("HTTP/1.1 200"));
          assertEquals(got.includes('"error":{'), breaks, got.slice(-300));
          assertEquals(got.includes(properEnd), !breaks, "the connection is not closed properly");
          assert(got.length > big.length);
          if (framing === "json-array") {
            assert(/\][\r\n]*(0\r\n\r\n)?$/.test(got), "the array is readable");
          }
          const row = await onlyRow(gateway);
          const code = ending === "an error" ? "upstream_error" : "upstream_truncated";
          assertEquals(row.errorCode, breaks ? code : undefined);
          assertEquals(row.status, 200);
          assert((row.usage?.outputTokens ?? 0) > 10_000, "what was delivered is charged");
        }));
    }
  }

  Deno.test(`the error of a broken stream from ${spoken} arrives before the connection breaks off, 100 times`, () =>
    withAnswer(spoken, "an error", async (gateway) => {
      const losses: string[] = [];
      for (let turn = 0; turn < 100; turn++) {
        using client = await rawCall(gateway.base, { path: paths.sse, body: body(300) });
        const got = await client.readAll();
        if (!got.includes('"error":{') || got.includes(properEnd)) losses.push(got.slice(-100));
      }
      assertEquals(losses, []);
    }));

  Deno.test(`the error of a broken stream from ${spoken} reaches a slow reader`, () =>
    withAnswer(spoken, "an error", async (gateway) => {
      using client = await rawCall(gateway.base, { path: paths.sse, body: body(30_000) });
      let got = "";
      for (let some = await client.readSome(); some !== ""; some = await client.readSome()) {
        got += some;
        await new Promise((resolve) => setTimeout(resolve, 5)); // the reader's own slowness
      }
      assert(got.includes('"error":{'), got.slice(-200));
      assert(!got.includes(properEnd));
    }));

  Deno.test(`the vendor's SDK throws at a broken stream from ${spoken}`, () =>
    withAnswer(spoken, "an error", async (gateway) => {
      const google = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: gateway.base } });
      let said = "";
      await assertRejects(
        async () => {
          const stream = await google.models.generateContentStream({
            model: "m",
            contents: prompt,
          });
          for await (const { text } of stream) said += text ?? "";
        },
        Error,
        "Overloaded",
      );
      assertEquals(said, big);
    }));
}

Deno.test("a stream that fails behind a silence breaks off behind its error", () =>
  withUpstream(
    "chat-completions",
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return Response.json({ error: { message: "Overloaded" } }, { status: 500 });
    },
    async (gateway) => {
      using client = await rawCall(gateway.base, { path: paths.sse, body: body(300) });
      const got = await client.readAll();
      assert(got.includes('"error":{'), got);
      assert(!got.includes(properEnd));
      await until(async () => (await onlyRow(gateway)).errorCode === "upstream_error", "no row");
    },
    { limits: { sseKeepAliveMs: 20 } },
  ));
