import type { AssistantReply, Lane, Said } from "./session.ts";

/** The advantage of the cheapest and of the fastest of several answers over the next one. */
export interface Advantage {
  readonly cheaperPercent?: number;
  readonly fasterMs?: number;
}

/** Differences below these are chance. */
const [percentMin, msMin] = [1, 10];

/** The advantages of complete answers to one message, by request id. */
export function advantagesOf(replies: readonly AssistantReply[]): ReadonlyMap<string, Advantage> {
  const known = replies.flatMap(({ state, requestId = "", receipt }) =>
    state === "whole" && receipt ? [{ requestId, ...receipt }] : []
  );
  const cheapest = leader(known.map(({ requestId, costNanoUsd }) => ({
    requestId,
    value: costNanoUsd ?? 0,
  })));
  const fastest = leader(known.map(({ requestId, durationMs }) => ({
    requestId,
    value: durationMs,
  })));
  const percent = cheapest ? Math.round(100 * cheapest.lead / cheapest.next) : 0;
  const found = new Map<string, Advantage>();
  if (cheapest && percent >= percentMin) found.set(cheapest.requestId, { cheaperPercent: percent });
  if (fastest && fastest.lead >= msMin) {
    const other = found.get(fastest.requestId);
    found.set(fastest.requestId, { ...other, fasterMs: fastest.lead });
  }
  return found;
}

/** The lowest value and its distance to the next; undefined for fewer than two values. */
function leader(values: readonly { readonly requestId: string; readonly value: number }[]) {
  const [first, second] = values.toSorted((one, other) => one.value - other.value);
  if (!second || second.value <= 0) return undefined;
  return {
    requestId: first.requestId,
    next: second.value,
    lead: second.value - first.value,
  };
}

/** A message with what each lane answered to it. */
export interface Round {
  readonly said: Said;
  readonly answers: readonly Lane["turns"][];
}

/** The rounds of parallel conversations, which all have the same messages of the user. */
export function roundsOf(lanes: readonly Lane[]): readonly Round[] {
  const said = lanes[0].turns.filter((turn) => turn.role === "user");
  return said.map((turn) => ({
    said: turn,
    answers: lanes.map(({ turns }) => {
      const begin = turns.findIndex(({ id }) => id === turn.id) + 1;
      const end = turns.findIndex(({ role }, at) => at >= begin && role === "user");
      return turns.slice(begin, end < 0 ? undefined : end);
    }),
  }));
}
