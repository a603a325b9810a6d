import {
  type CanonicalRequest,
  emulated,
  type Note,
  noUsage,
  StopScanner,
  type Usage,
} from "../canonical/mod.ts";
import type { Rewrite } from "../http/stream/transcoder.ts";
import { countRequestTokens, countTextTokens } from "../tokens/mod.ts";

const stopsPath = "sampling.stopSequences";

/** The note that replaces the target format's own. */
export const stopsNote = emulated(
  stopsPath,
  "The gateway ends the answer at a stop sequence itself",
);

/** Emulates stop sequences that the target format cannot express. */
export function emulatedStops(
  request: CanonicalRequest,
  notes: readonly Note[],
): { readonly notes: readonly Note[]; readonly rewrite?: Rewrite } {
  const stops = request.sampling.stopSequences ?? [];
  if (stops.length === 0 || !notes.some(({ path }) => path === stopsPath)) return { notes };
  const usageOf = (delivered: string): Usage => ({
    ...noUsage,
    inputTokens: countRequestTokens(request),
    outputTokens: countTextTokens(delivered),
  });
  const scanner = new StopScanner(stops, usageOf);
  return {
    notes: [...notes.filter(({ path }) => path !== stopsPath), stopsNote],
    rewrite: (event) => scanner.push(event),
  };
}
