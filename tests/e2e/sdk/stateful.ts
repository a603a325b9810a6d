import OpenAI from "openai";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import {
  startStrict,
  strictCredential,
  type StrictOptions,
  type StrictUpstream,
} from "../../strict/mod.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

/** The vendor's own client before a gateway whose only upstream speaks one format, by its own strict rules. */
export interface StatefulScene extends AsyncDisposable {
  readonly client: OpenAI;
  readonly model: string;
  readonly upstream: StrictUpstream;
  readonly gateway: TestGateway;
}

const thinkingModels: Readonly<Record<FormatName, string>> = {
  "chat-completions": "deepseek-reasoner",
  responses: "gpt-5.1",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-3-pro-preview",
};

const model = "thinking";

export async function startScene(
  format: FormatName,
  { config = {}, strict = {} }: {
    readonly config?: Readonly<Record<string, unknown>>;
    readonly strict?: StrictOptions;
  } = {},
): Promise<StatefulScene> {
  const upstream = startStrict(format, strict);
  const gateway = await startGateway({
    upstreams: [{
      id: format,
      endpoints: { [format]: upstream.base },
      apiKeys: [strictCredential],
      models: [{ id: model, upstreamModel: thinkingModels[format] }],
    }],
    ...config,
  });
  return {
    client: clientOf(gateway),
    model,
    upstream,
    gateway,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

export function clientOf({ base, key }: Pick<TestGateway, "base" | "key">): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${base}/v1`, maxRetries: 0 });
}

/** A test for every format that an upstream may speak. */
export function onEveryUpstream(
  name: string,
  run: (scene: StatefulScene, format: FormatName) => Promise<void>,
): void {
  for (const format of formatNames) {
    Deno.test(`${name}, upstream of ${format}`, async () => {
      await using scene = await startScene(format);
      await run(scene, format);
    });
  }
}
