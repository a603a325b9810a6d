import {
  type AudioPart,
  type CanonicalRequest,
  type ErrorCode,
  type FilePart,
  GatewayError,
  type GatewayErrorOptions,
  type ImagePart,
  type Part,
  type ToolResultPart,
  type Turn,
  type VideoPart,
} from "../../canonical/mod.ts";
import { untilAborted } from "./pace.ts";

export type MediaPart = ImagePart | AudioPart | VideoPart | FilePart;

/** The parts of a request that the built-in model reads: everything after its own last turn. */
export interface Prompt {
  /** The user's text without the blocks of coding agents and without a `pace`. */
  readonly text: string;
  readonly calls: readonly CallLine[];
  /** Tool results with tool names, which are taken from the call if the format omits them. */
  readonly results: readonly NamedResult[];
  readonly media: readonly MediaPart[];
  readonly failure?: Failure;
  readonly paceMs?: number;
}

export type NamedResult = ToolResultPart & { readonly name: string };

/** A line `call NAME ARGUMENTS`. */
export interface CallLine {
  readonly name: string;
  readonly input: string;
}

const callLinesMax = 128;
const paceMsMax = 10_000;

export function readPrompt({ turns }: CanonicalRequest): Prompt {
  const open = openTurns(turns);
  const parts = open.flatMap(({ parts }) => parts);
  const [text, paceMs] = withoutPace(lastWords(open));
  const failure = failureNames.find((name) => text.trim() === `fail ${name}`);
  return {
    text,
    calls: callLines(text),
    results: parts.filter((part) => part.type === "tool-result")
      .map((result) => ({ ...result, name: result.name ?? calledName(turns, result.callId) })),
    media: parts.filter(isMedia),
    ...(failure && { failure }),
    ...(paceMs !== undefined && { paceMs }),
  };
}

function calledName(turns: readonly Turn[], callId: string): string {
  for (const { parts } of turns.toReversed()) {
    const call = parts.find((part) => part.type === "tool-call" && part.id === callId);
    if (call?.type === "tool-call") return call.name;
  }
  return "The tool";
}

/** The user's turns after the model's last one; else the user's last turn. */
function openTurns(turns: readonly Turn[]): readonly Turn[] {
  const spoken = turns.findLastIndex(({ role }) => role === "assistant");
  const open = turns.slice(spoken + 1).filter(({ role }) => role === "user");
  return open.length > 0 ? open : turns.filter(({ role }) => role === "user").slice(-1);
}

function lastWords(turns: readonly Turn[]): string {
  return turns.map(({ parts }) => wordsOf(parts)).findLast((words) => words !== "") ?? "";
}

function wordsOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => part.type === "text" && !isReminder(part.text) ? [part.text] : [])
    .filter((text) => text.trim() !== "")
    .join("\n");
}

/** Returns true for a block that a coding agent added to the user's text. */
function isReminder(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith("<system-reminder>") && trimmed.endsWith("</system-reminder>");
}

function withoutPace(text: string): [string, number?] {
  const found = /^\s*pace (\d{1,5})(?:\s+|$)/.exec(text);
  if (!found) return [text];
  return [text.slice(found[0].length), Math.min(paceMsMax, Number(found[1]))];
}

function callLines(text: string): readonly CallLine[] {
  return text.split("\n")
    .map((line) => /^call\s+(\S+)(?:\s+(.*))?$/.exec(line.trim()))
    .flatMap((found) => found?.[1] ? [{ name: found[1], input: found[2] ?? "" }] : [])
    .slice(0, callLinesMax);
}

function isMedia(part: Part): part is MediaPart {
  return part.type === "image" || part.type === "audio" || part.type === "video" ||
    part.type === "file";
}

/** The names that `fail NAME` accepts. */
type Failure = keyof typeof failures | "midway" | "hang";

interface FailureRow extends GatewayErrorOptions {
  readonly code: ErrorCode;
}

const failures = {
  "400": { code: "invalid_request", upstreamStatus: 400 },
  "401": { code: "upstream_unauthorized", upstreamStatus: 401 },
  "429": { code: "rate_limit_exceeded", upstreamStatus: 429, retryAfterSeconds: 2 },
  "500": { code: "upstream_error", upstreamStatus: 500 },
  "503": { code: "upstream_overloaded", upstreamStatus: 503, retryAfterSeconds: 5 },
  timeout: { code: "upstream_timeout" },
} as const satisfies Record<string, FailureRow>;

const failureNames: readonly Failure[] = [
  // sound: the keys of a constant table
  ...Object.keys(failures) as (keyof typeof failures)[],
  "midway",
  "hang",
];

/** Throws a failure that precedes any text; `hang` waits for the cancellation. */
export async function throwFailure(
  failure: Failure | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (failure === "hang") return await untilAborted(signal);
  if (failure === undefined || failure === "midway") return;
  const { code, ...options }: FailureRow = failures[failure];
  throw new GatewayError(
    code,
    `Failed as requested: the prompt says "fail ${failure}"`,
    options,
  );
}

/** Throws a failure in the middle of the text. */
export function breakOff(failure: Failure | undefined): void {
  if (failure !== "midway") return;
  throw new GatewayError(
    "upstream_error",
    'Failed as requested: the prompt says "fail midway"',
  );
}
