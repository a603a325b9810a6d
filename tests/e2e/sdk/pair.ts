import { assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { startStrict, strictCredential, type StrictUpstream } from "../../strict/mod.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import type { Asking, Conversation, MatrixClient } from "./matrix.ts";
import { startTape, type Tape } from "./tape.ts";

/** The models that a strict upstream serves, by what a scenario needs of them. */
const upstreamModels = {
  "chat-completions": { plain: "gpt-5.1", thinking: "deepseek-reasoner", other: "llama-4" },
  responses: { plain: "gpt-5.1", thinking: "gpt-5.1", other: "gpt-4.1" },
  messages: { plain: "claude-sonnet-4-5", thinking: "claude-sonnet-4-5", other: "claude-opus-5" },
  "generate-content": {
    plain: "gemini-3-pro-preview",
    thinking: "gemini-3-pro-preview",
    other: "gemini-2.5-flash",
  },
} as const satisfies Record<FormatName, Record<Use, string>>;

/** The first cooldown of a rate-limited upstream; minimal, as no scenario tests it. */
const cooldownMs = 1;

export type Use = "plain" | "thinking" | "other";

/** One SDK and one upstream, with the other upstreams available. */
export interface Pair extends AsyncDisposable {
  readonly client: MatrixClient;
  readonly format: FormatName;
  readonly gateway: TestGateway;
  readonly upstreams: Readonly<Record<FormatName, StrictUpstream>>;
  readonly tape: Tape;
}

/** A scenario's view of its pair. */
export interface Stage {
  readonly pair: Pair;
  readonly upstream: StrictUpstream;
  readonly start: (asking: Partial<Asking>, use?: Use) => Conversation;
  /** The name by which this SDK requests an upstream's model. */
  readonly modelOf: (format: FormatName, use: Use) => string;
}

export async function startPair(client: MatrixClient, format: FormatName): Promise<Pair> {
  const started = formatNames.map((name) => [name, startStrict(name)] as const);
  const upstreams = Object.fromEntries(started) as Record<FormatName, StrictUpstream>; // sound: one for each name
  const gateway = await startGateway({
    limits: { cooldownMs },
    upstreams: formatNames.map((name) => ({
      id: name,
      endpoints: { [name]: upstreams[name].base },
      apiKeys: [strictCredential],
      models: (["plain", "thinking", "other"] as const).map((use) => ({
        id: publicModel(client, name, use),
        upstreamModel: upstreamModels[name][use],
      })),
    })),
  });
  return {
    client,
    format,
    gateway,
    upstreams,
    tape: startTape(),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await Promise.all(started.map(([, upstream]) => upstream[Symbol.asyncDispose]()));
    },
  };
}

/**
 * The name under which the gateway serves an upstream's model; the plain one has a slash, as
 * aggregators' names do.
 */
function publicModel({ modelPrefix = "" }: MatrixClient, format: FormatName, use: Use): string {
  return modelPrefix + (use === "plain" ? `acme/${format}` : `${format}.${use}`);
}

export function stageOf(pair: Pair): Stage {
  const { client, format, gateway, tape } = pair;
  const connection = { base: gateway.base, key: gateway.key, fetch: tape.fetch };
  const modelOf = (of: FormatName, use: Use) => publicModel(client, of, use);
  return {
    pair,
    upstream: pair.upstreams[format],
    start: (asking, use = "plain") =>
      client.start({ model: modelOf(format, use), ...asking }, connection),
    modelOf,
  };
}

/** No upstream refused anything. */
export function assertKept({ upstreams }: Pair): void {
  for (const { seen } of Object.values(upstreams)) {
    assertEquals(seen.flatMap(({ refusals }) => refusals), []);
  }
}
