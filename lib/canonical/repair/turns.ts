import type { Part, TextPart, ToolCallPart, ToolResultPart } from "../content.ts";
import type { FormatName } from "../format.ts";
import type { Note } from "../note.ts";
import type { CanonicalRequest, Turn } from "../request.ts";
import {
  type CallReach,
  callsOf,
  claimResult,
  IdGiver,
  isPaired,
  type ResultSlot,
  slotsOf,
  type UnclaimedResults,
  waitingOf,
} from "./calls.ts";
import { hasEmptyPart, withLastWord, withoutEmptyParts } from "./empty.ts";
import { repairNote } from "./notes.ts";

/**
 * Gives the request a history that every vendor accepts: no empty parts or turns; every call with
 * an id of its own and exactly one result, at the front of the next user turn and in the order of
 * the calls; no result without its call. A stand-in replaces a missing result, and a result without
 * its call becomes text of the user. Returns the request itself if nothing needs repair. An
 * asynchronous call and its later result stay unchanged for the format that they came from.
 */
export function repairTurns(
  request: CanonicalRequest,
  target?: FormatName,
): { readonly request: CanonicalRequest; readonly notes: readonly Note[] } {
  if (!request.turns.some(hasEmptyPart) && isPaired(request.turns)) return { request, notes: [] };
  const notes: Note[] = [];
  const kept = withLastWord(withoutEmptyParts(request.turns), request.turns, notes);
  const turns = isPaired(kept) ? kept : withPairedResults(kept, target, notes);
  const same = turns.length === request.turns.length &&
    turns.every((turn, at) => turn === request.turns[at]);
  return same ? { request, notes } : { request: { ...request, turns }, notes };
}

/** The outcome of pairing: results by turn and part, renamed calls, and the results that follow a turn. */
interface Pairing {
  readonly turns: readonly Turn[];
  /** All results, in the order in which they are rebuilt. */
  readonly slots: Iterator<ResultSlot>;
  readonly waiting: UnclaimedResults;
  /** Tool names by call id. */
  readonly callNames: ReadonlyMap<string, string>;
  /** Ids of calls that may have no result yet. */
  readonly running: ReadonlySet<string>;
  readonly idsOfTurn: Map<number, string[]>;
  readonly answersOfTurn: Map<number, ToolResultPart[]>;
  readonly notes: Note[];
}

function withPairedResults(
  turns: readonly Turn[],
  target: FormatName | undefined,
  notes: Note[],
): readonly Turn[] {
  const slots = slotsOf(turns);
  const pairing: Pairing = {
    turns,
    slots: slots.values(),
    waiting: waitingOf(turns, slots),
    callNames: namesOf(turns),
    running: runningIn(turns, target),
    idsOfTurn: new Map(),
    answersOfTurn: new Map(),
    notes,
  };
  const ids = new IdGiver(turns);
  let windowEnd = 0;
  for (const [turnAt, { role }] of turns.entries()) {
    if (role !== "assistant") continue;
    if (windowEnd <= turnAt) windowEnd = windowEndOf(turnAt, turns);
    pairTurn({ turnAt, windowEnd }, pairing, ids);
  }
  return turns.flatMap((turn, turnAt) => rebuild(turn, turnAt, pairing));
}

/** Asynchronous calls, for the only format that has them. */
function runningIn(turns: readonly Turn[], target: FormatName | undefined): ReadonlySet<string> {
  const calls = turns.flatMap(callsOf).filter(({ async, native }) =>
    async && target !== undefined && native?.format === target
  );
  return new Set(calls.map(({ id }) => id));
}

function namesOf(turns: readonly Turn[]): ReadonlyMap<string, string> {
  const calls = turns.flatMap(callsOf).filter(({ id }) => id !== "");
  return new Map(calls.map(({ id, name }) => [id, name]));
}

/** Assigns ids and results to the calls of a turn. */
function pairTurn(reach: CallReach, pairing: Pairing, ids: IdGiver): void {
  const { turnAt } = reach;
  const calls = callsOf(pairing.turns[turnAt]);
  if (calls.length === 0) return;
  const given: string[] = [];
  const answers: ToolResultPart[] = [];
  const stated = new Set([""]);
  for (const call of calls) {
    const id = ids.give(call.id);
    const slot = claimResult(call, reach, pairing.waiting);
    const isAmbiguous = stated.has(call.id);
    stated.add(call.id);
    given.push(id);
    if (!slot && pairing.running.has(call.id)) continue;
    note(pairing.notes, turnAt, { isAmbiguous, isRunning: call.async ?? false, slot });
    answers.push(slot ? answered(slot.part, call, id) : interrupted(call, id));
  }
  pairing.idsOfTurn.set(turnAt, given);
  pairing.answersOfTurn.set(turnAt, answers);
}

/**
 * The end of the turns whose results belong to a turn of the model: the model's next turn. Adjacent
 * turns of the model share their results.
 */
function windowEndOf(turnAt: number, turns: readonly Turn[]): number {
  let end = turnAt + 1;
  while (turns[end]?.role === "assistant") end++;
  while (end < turns.length && turns[end]?.role !== "assistant") end++;
  return end;
}

function answered(part: ToolResultPart, call: ToolCallPart, callId: string): ToolResultPart {
  if (part.callId === callId && part.kind === call.kind) return part;
  return { ...part, callId, kind: call.kind };
}

/** The stand-in for a missing result. An asynchronous call that is still running has not failed. */
function interrupted({ name, kind, async = false }: ToolCallPart, callId: string): ToolResultPart {
  const text = async
    ? "[no result yet: the tool call is still running]"
    : "[no result: tool call was interrupted]";
  return {
    type: "tool-result",
    callId,
    name,
    kind,
    parts: [{ type: "text", text }],
    isError: !async,
  };
}

/**
 * Notes deviations that a vendor would refuse. The order of parallel results does not matter, nor
 * their distribution over messages; a later turn may reuse an id.
 */
function note(
  notes: Note[],
  turnAt: number,
  { isAmbiguous, isRunning, slot }: {
    readonly isAmbiguous: boolean;
    readonly isRunning: boolean;
    readonly slot: ResultSlot | undefined;
  },
): void {
  if (isAmbiguous) notes.push(repairNote("callId", turnAt));
  if (!slot) notes.push(repairNote(isRunning ? "resultPending" : "resultMissing", turnAt));
  else if (slot.behind > turnAt) notes.push(repairNote("resultMoved", turnAt));
}

/** The turn after pairing, followed by its results as a turn of their own if no user turn follows. */
function rebuild(turn: Turn, turnAt: number, pairing: Pairing): readonly Turn[] {
  const fromBefore = pairing.answersOfTurn.get(turnAt - 1) ?? [];
  const leading = turn.role === "user" ? fromBefore : [];
  const parts = [...leading, ...ownParts(turn, turnAt, pairing)];
  const answers = pairing.answersOfTurn.get(turnAt) ?? [];
  const follows = pairing.turns[turnAt + 1]?.role === "user";
  const added: readonly Turn[] = answers.length > 0 && !follows
    ? [{ role: "user", parts: answers }]
    : [];
  if (parts.length === 0 && turn.change === undefined) return added;
  const same = parts.length === turn.parts.length &&
    parts.every((part, at) => part === turn.parts[at]);
  return [same ? turn : { ...turn, parts }, ...added];
}

/** All parts except moved results; unclaimed results become text. */
function ownParts({ parts }: Turn, turnAt: number, pairing: Pairing): readonly Part[] {
  const ids = pairing.idsOfTurn.get(turnAt)?.values();
  return parts.flatMap((part): readonly Part[] => {
    if (part.type === "tool-call") {
      const id = ids?.next().value ?? part.id;
      return [id === part.id ? part : { ...part, id }];
    }
    if (part.type !== "tool-result") return [part];
    const slot: ResultSlot | undefined = pairing.slots.next().value;
    if (!slot || (!slot.claimed && pairing.running.has(slot.part.callId))) return [part];
    return slot.claimed ? [] : asUserText(slot, pairing);
  });
}

function asUserText({ part, turnAt }: ResultSlot, { callNames, notes }: Pairing): readonly Part[] {
  notes.push(repairNote("resultStray", turnAt));
  const name = part.name ?? callNames.get(part.callId) ?? part.callId;
  const text = `[result of tool call ${name}]`;
  const heading: TextPart = { type: "text", text };
  const [own = { parts: [] }] = withoutEmptyParts([{ role: "user", parts: part.parts }]);
  return [heading, ...own.parts];
}
