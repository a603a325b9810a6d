import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import OpenAI from "openai";
import { dialects, type PlaygroundFormat, playgroundFormats } from "../../lib/playground/mod.ts";
import { snippetOf } from "../../lib/playground/snippets.ts";
import { startGateway, type TestGateway } from "../e2e/gateway.ts";

const words = `it's "quoted" \\ and $HOME`;

/** A snippet with everything in it that needs care. */
function snippetFor(
  kind: "curl" | "python" | "typescript",
  format: PlaygroundFormat,
  { base, key, stream }: Pick<TestGateway, "base" | "key"> & { readonly stream: boolean },
): string {
  const model = "tessera-echo";
  const request = dialects[format].request({
    model,
    system: "Be brief",
    turns: [{ role: "user", text: words, attachments: [] }],
    tools: [{ name: "weather", parameters: { type: "object", properties: {} } }],
    parameters: { stream, stop: ["@@"], temperature: 0, maxTokens: 300 },
  });
  return snippetOf({ kind, format, origin: base, request, model }).replace("YOUR_KEY", key);
}

for (const format of playgroundFormats) {
  for (const stream of [true, false]) {
    const name = `${format}${stream ? ", streaming" : ""}`;

    Deno.test(`the curl command of ${name} runs unchanged`, async () => {
      await using gateway = await startGateway();
      const command = snippetFor("curl", format, { ...gateway, stream });
      const { stdout } = await new Deno.Command("sh", { args: ["-c", `${command} -sS`] }).output();
      assertStringIncludes(new TextDecoder().decode(stdout), "$HOME");
    });

    Deno.test(`the TypeScript of ${name} runs with the format's own client`, async () => {
      await using gateway = await startGateway();
      const code = snippetFor("typescript", format, { ...gateway, stream });
      const printed: unknown[] = [];
      await run(code, (value) => printed.push(value));
      assertStringIncludes(JSON.stringify(printed), "$HOME");
      assert(stream ? printed.length > 1 : printed.length === 1);
    });
  }
}

/** Runs a module's text; its one import is handed in. */
async function run(code: string, log: (value: unknown) => void): Promise<void> {
  const body = code.replace(/^import .*$/m, "");
  const AsyncFunction = Object.getPrototypeOf(run).constructor;
  const clients = { OpenAI, Anthropic, GoogleGenAI };
  await new AsyncFunction(...Object.keys(clients), "console", body)(
    ...Object.values(clients),
    { log },
  );
}

Deno.test("Python is written with its own words", () => {
  const request = {
    path: "/v1/responses",
    body: { model: "m", store: false, stream: true, input: [], metadata: { none: null }, n: 1.5 },
  };
  const code = snippetOf({
    kind: "python",
    format: "responses",
    origin: "https://gw.example",
    request,
    model: "m",
  });
  assertEquals(
    code,
    `from openai import OpenAI

client = OpenAI(base_url="https://gw.example/v1", api_key="YOUR_KEY")
answer = client.responses.create(
    model="m",
    store=False,
    stream=True,
    input=[],
    metadata={
        "none": None,
    },
    n=1.5,
)
for event in answer:
    print(event)`,
  );
});
