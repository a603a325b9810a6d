import {
  type CanonicalEvent,
  type CanonicalRequest,
  type CanonicalResponse,
  collect,
  eventsOf,
  type FormatName,
  type JsonObject,
  type JsonValue,
  type Note,
} from "../../../lib/canonical/mod.ts";
import { AnswerFitter } from "../../../lib/formats/answer/fitter.ts";
import { answerNotes } from "../../../lib/formats/answer/notes.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { assertValid, contextOf, decoded, encoded } from "../codec_suite.ts";
import { eventsOfRecorded } from "../recorded_wire.ts";
import { callText, type Facts, factsOf } from "./facts.ts";
import { type HarmlessRow, harmlessRows, placeOf, rowOf } from "./harmless.ts";
import { Told } from "./told.ts";
import { unwordedRows } from "./unworded.ts";
import { Heard, type Leaf, leavesOf, streamedLeaves } from "./wire_leaves.ts";

/** An answer from its upstream: one body, or the events of a stream. */
export interface Answered {
  readonly from: FormatName;
  readonly wire: JsonObject | readonly JsonObject[];
  /** The caller's request. */
  readonly request?: CanonicalRequest;
}

/** An answer before and after a conversion. */
export interface Converted {
  readonly response: CanonicalResponse;
  readonly notes: readonly Note[];
  /** The caller's bytes, parsed as JSON. */
  readonly sent: JsonValue;
}

/** Converts an answer as the gateway does. */
export function converted({ from, wire, request }: Answered, to: FormatName): Converted {
  const events = eventsOfWire(from, wire);
  const context = contextFor(request);
  const fitter = new AnswerFitter(codecs[to], context.request);
  const fitted = events.flatMap((event) => fitter.push(event));
  const sent = isStream(wire)
    ? sentEvents(to, encoded(codecs[to], fitted, context))
    : codecs[to].encodeResponse(collect(fitted), context);
  return { response: collect(events), notes: fitter.notes, sent: JSON.parse(JSON.stringify(sent)) };
}

function isStream(wire: Answered["wire"]): wire is readonly JsonObject[] {
  return Array.isArray(wire);
}

function eventsOfWire(from: FormatName, wire: Answered["wire"]): CanonicalEvent[] {
  return isStream(wire)
    ? decoded(codecs[from], eventsOfRecorded(from, wire))
    : [...eventsOf(codecs[from].decodeResponse(wire))];
}

function contextFor(request: CanonicalRequest | undefined) {
  const context = contextOf({});
  const asked = { ...context.request, ...request, streamOptions: { includeUsage: true } };
  return {
    ...context,
    request: { ...asked, reasoning: { effort: "medium", summary: "auto" } as const },
  };
}

function sentEvents(to: FormatName, events: readonly ServerSentEvent[]): JsonValue[] {
  assertValid(codecs[to], events);
  return events.filter(({ data }) => data !== "[DONE]").map(({ data }) => JSON.parse(data));
}

/** The law's findings in one conversion. */
export interface Verdict {
  /** Number of values in the upstream's bytes. */
  readonly leaves: number;
  /** Values that the caller neither has nor is notified of, and facts that differ. */
  readonly broken: readonly string[];
  /** The rows of the table that explained a value. */
  readonly used: ReadonlySet<HarmlessRow>;
}

/** Checks that everything in an answer is in the caller's bytes, in the notes, or harmless. */
export function judged(answered: Answered, to: FormatName): Verdict {
  const { from, wire } = answered;
  const { response, notes, sent } = converted(answered, to);
  const leaves = isStream(wire) ? streamedLeaves(wire) : leavesOf(wire);
  const heard = new Heard(Array.isArray(sent) ? streamedLeaves(sent) : leavesOf(sent));
  const told = new Told(response, notes);
  const used = new Set<HarmlessRow>();
  const untold = leaves.filter((leaf) => {
    const harmless = rowOf(harmlessRows, from, leaf);
    if (harmless) used.add(harmless);
    if (harmless || heard.says(leaf)) return false;
    const telling = told.says(leaf);
    const unworded = telling === "worded" ? rowOf(unwordedRows, from, leaf) : undefined;
    if (unworded) used.add(unworded);
    return telling !== "dropped" && !unworded;
  });
  return {
    leaves: leaves.length,
    broken: [
      ...untold.map((leaf) => lossText(from, leaf)),
      ...factsBroken(answered, to, { response, notes, sent }),
    ],
    used,
  };
}

function lossText(from: FormatName, leaf: Leaf): string {
  const value = leaf.pieces.join("");
  return `${placeOf(from, leaf)}: ${JSON.stringify(value).slice(0, 100)}`;
}

/** Calls, endings and usage sums that differ without a note. */
function factsBroken(
  { from, wire }: Answered,
  to: FormatName,
  { notes, response, sent }: Converted,
): string[] {
  const said = factsOf[from](wire as JsonValue); // sound: it came as JSON
  const got = factsOf[to](sent);
  return [
    ...difference("lost call", said.calls, [...got.calls, ...callsLeftOut(got, response, notes)]),
    ...difference("invented call", got.calls, [...said.calls, ...itemsAsCalls(response, notes)]),
    ...endsBroken(said, got, notes),
    ...(said.inputTokens === got.inputTokens
      ? []
      : [`input tokens: ${said.inputTokens} became ${got.inputTokens}`]),
    ...(said.outputTokens === got.outputTokens
      ? []
      : [`output tokens: ${said.outputTokens} became ${got.outputTokens}`]),
  ];
}

function difference(what: string, of: readonly string[], less: readonly string[]): string[] {
  const rest = [...less];
  return of.filter((one) => {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  }).map((one) => `${what}: ${one.slice(0, 100)}`);
}

/** The calls that are left out according to a note, and those of dropped alternatives. */
function callsLeftOut(
  { ends }: Facts,
  response: CanonicalResponse,
  notes: readonly Note[],
): string[] {
  const dropped = new Set(
    notes.filter(({ action }) => action === "dropped").map(({ path }) => path),
  );
  return response.alternatives.flatMap(({ parts }, at) => {
    const place = at === 0 ? "answer" : `answer.alternatives[${at}]`;
    const isLeftOut = at >= ends.length;
    return parts.flatMap((part, index) =>
      part.type === "tool-call" && (isLeftOut || dropped.has(`${place}.parts[${index}]`))
        ? [callText(part.name, part.arguments)]
        : []
    );
  });
}

/** The calls that replace items according to a note, because the caller must answer them. */
function itemsAsCalls(response: CanonicalResponse, notes: readonly Note[]): string[] {
  const emulated = notes.filter(({ action }) => action === "emulated").map(({ path }) => path);
  const parts = response.alternatives[0]?.parts ?? [];
  return parts.flatMap((part, index) =>
    part.type === "native" && part.call && emulated.includes(`answer.parts[${index}]`)
      ? [callText(part.call.name, part.call.arguments)]
      : []
  );
}

function endsBroken(said: Facts, got: Facts, notes: readonly Note[]): string[] {
  return said.ends.flatMap((end, at) => {
    const other = got.ends[at];
    const same = other === end ||
      (end === "whole" && other === "calls" && hasItemsAsCalls(said, got));
    const row = other === undefined ? "alternative" : end === "paused" ? "pause" : "refusal";
    const isNoted = notes.some(({ reason }) => reason.startsWith(answerNotes[row].reason));
    return same || isNoted ? [] : [`alternative ${at} ended ${end} and became ${other ?? "none"}`];
  });
}

/** Items that ask for an answer end the turn like calls. */
function hasItemsAsCalls(said: Facts, got: Facts): boolean {
  return got.calls.length > said.calls.length;
}
