import type { FormatName } from "../../../lib/canonical/mod.ts";
import {
  type Model,
  startStrict,
  strictCredential,
  type StrictOptions,
  type StrictUpstream,
} from "../../strict/mod.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

/** A fact of a conversation: whoever forgets it, has lost it. */
const fact = /fact-[a-z]+-\d+/g;
/** The end of every request for a summary. */
const summaryAsked = "Answer with the summary alone.";

/** Summarizes to the facts of its prompt, else says all that it knows: the facts of its prompt. */
export const rememberingModel: Model = ({ text }, _voice, { body }) => {
  const facts = [...new Set(JSON.stringify(body).match(fact) ?? [])].join(" ");
  const begins = text.includes(summaryAsked) ? "Summary:" : "I know:";
  return { calls: [], hangs: false, text: `${begins} ${facts}` };
};

/** A conversation of about so many bytes, with facts at its beginning, its middle and its end. */
export function conversation(bytes: number, name = "long") {
  const turns = Math.max(3, Math.round(bytes / 2_000));
  const marks = new Map([[0, 1], [Math.floor(turns / 2), 2], [turns - 1, 3]]);
  return Array.from({ length: turns }, (_, at) => {
    const mark = marks.has(at) ? `Remember fact-${name}-${marks.get(at)}. ` : "";
    return [
      { role: "user" as const, content: `${mark}Question ${at}. ${"word ".repeat(190)}` },
      { role: "assistant" as const, content: `Answer ${at}. ${"term ".repeat(190)}` },
    ];
  }).flat();
}

export const factsOf = (name = "long") => [1, 2, 3].map((at) => `fact-${name}-${at}`);

/** An upstream that speaks `format` and serves "m", and one of another vendor that serves "n". */
export interface Pair extends AsyncDisposable {
  readonly first: StrictUpstream;
  readonly second: StrictUpstream;
  readonly gateway: TestGateway;
}

export async function startPair(
  [format, other]: readonly [FormatName, FormatName],
  { model = rememberingModel, settings = {}, further = [] }: Pick<StrictOptions, "model"> & {
    readonly settings?: Record<string, unknown>;
    /** Upstreams in addition to the two. */
    readonly further?: readonly Record<string, unknown>[];
  } = {},
): Promise<Pair> {
  const first = startStrict(format, { model });
  const second = startStrict(other, { model });
  const entry = (id: string, format: FormatName, base: string, model: string) => ({
    id,
    endpoints: { [format]: base },
    apiKeys: [strictCredential],
    models: [{ id: model, upstreamModel: upstreamModels[format] }],
  });
  const gateway = await startGateway({
    upstreams: [
      entry("first", format, first.base, "m"),
      entry("second", other, second.base, "n"),
      ...further,
    ],
    models: ["m", "n"].map((id) => ({ id, price: { input: 1, output: 10 } })),
    ...settings,
  });
  return {
    first,
    second,
    gateway,
    [Symbol.asyncDispose]: async () => {
      for (const one of [gateway, first, second]) await one[Symbol.asyncDispose]();
    },
  };
}

const upstreamModels: Readonly<Record<FormatName, string>> = {
  "chat-completions": "gpt-4.1",
  responses: "gpt-4.1",
  messages: "claude-opus-5",
  "generate-content": "gemini-2.5-flash",
};
