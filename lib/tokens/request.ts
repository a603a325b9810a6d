import { type CanonicalRequest, GatewayError, type Part, type Tool } from "../canonical/mod.ts";
import { atOnce, mapped, type Steps } from "../pace.ts";
import { imageTokens, mediaTokens } from "./media.ts";
import { exactCharsMax, textTokenSteps } from "./text.ts";

/** The prompt's tokens, in the buckets of usage. */
export interface RequestTokens {
  readonly inputTokens: number;
  readonly audioInputTokens: number;
}

/** Tokens of the vendors' framing of turns, tools and the answer's start. */
const framing = { request: 3, turn: 4, part: 1, tool: 8 } as const;

/** All tokens of a request's prompt, audio included. */
export function countRequestTokens(request: CanonicalRequest): number {
  return atOnce(requestTokenSteps(request));
}

/** The same in steps. */
export function* requestTokenSteps(request: CanonicalRequest): Steps<number> {
  const { inputTokens, audioInputTokens } = yield* measuringSteps(request);
  return inputTokens + audioInputTokens;
}

/** The same, with audio in a separate bucket. */
export function measureRequest(request: CanonicalRequest): RequestTokens {
  return atOnce(measuringSteps(request));
}

export function* measuringSteps(request: CanonicalRequest): Steps<RequestTokens> {
  const meter = new Meter();
  meter.add(framing.request);
  addParts(meter, request.instructions);
  yield* mapped(request.turns, ({ parts }) => {
    meter.add(framing.turn);
    addParts(meter, parts);
  });
  for (const tool of request.tools) addTool(meter, tool);
  if (request.output?.type === "schema") meter.addJson(request.output.schema);
  yield;
  return yield* meter.total();
}

/** Many short texts of so many characters are counted in one step. */
const charsOfStep = 16 * 1024;

/** Sums up texts: counts them one by one up to a large total, and estimates the rest by the ratio so far. */
class Meter {
  #tokens = 0;
  #audioTokens = 0;
  readonly #texts: string[] = [];
  #countedChars = 0;
  #uncountedChars = 0;

  add(tokens: number): void {
    this.#tokens += tokens;
  }

  addAudio(tokens: number): void {
    this.#audioTokens += tokens;
  }

  addText(text: string | undefined): void {
    if (!text) return;
    const left = exactCharsMax - this.#countedChars;
    const counted = left >= text.length ? text : text.slice(0, left);
    if (left > 0) this.#texts.push(counted);
    this.#countedChars += counted.length;
    this.#uncountedChars += text.length - counted.length;
  }

  addJson(value: unknown): void {
    this.addText(jsonText(value));
  }

  *total(): Steps<RequestTokens> {
    let counted = 0;
    let chars = 0;
    for (const text of this.#texts) {
      chars += text.length;
      if (chars > charsOfStep) {
        chars = 0;
        yield;
      }
      counted += yield* textTokenSteps(text);
    }
    const ratio = this.#countedChars > 0 ? counted / this.#countedChars : 0;
    const texts = counted + Math.ceil(this.#uncountedChars * ratio);
    return { inputTokens: this.#tokens + texts, audioInputTokens: this.#audioTokens };
  }
}

function addParts(meter: Meter, parts: readonly Part[]): void {
  for (const part of parts) {
    meter.add(framing.part);
    addPart(meter, part);
  }
}

function addPart(meter: Meter, part: Part): void {
  switch (part.type) {
    case "text":
    case "refusal":
    case "reasoning":
      return meter.addText(part.text);
    case "image":
      return meter.add(imageTokens(part));
    case "audio":
      return meter.addAudio(mediaTokens(part));
    case "video":
      return meter.add(mediaTokens(part));
    case "file":
      meter.addText(part.name);
      if (part.source.type === "text") meter.addText(part.source.text);
      return meter.add(mediaTokens(part));
    case "tool-call":
      meter.addText(part.name);
      return meter.addText(part.arguments);
    case "tool-result":
      return addParts(meter, part.parts);
    case "native":
      return meter.addJson(part.value);
    default:
      part satisfies never;
  }
}

function addTool(meter: Meter, tool: Tool): void {
  meter.add(framing.tool);
  switch (tool.type) {
    case "function":
      meter.addText(tool.name);
      meter.addText(tool.description);
      return tool.parameters && meter.addJson(tool.parameters);
    case "custom":
      meter.addText(tool.name);
      meter.addText(tool.description);
      return meter.addText(tool.grammar?.definition);
    case "hosted":
      return meter.addText(tool.kind);
    case "native":
      return meter.addJson(tool.value);
    default:
      tool satisfies never;
  }
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (cause) {
    throw new GatewayError(
      "invalid_request",
      "Cannot count the request's tokens: a schema or an item is nested too deeply",
      { cause },
    );
  }
}
