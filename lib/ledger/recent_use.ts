import { BoundedMap } from "../bounded_map.ts";

/** The usage of one call. */
interface Past {
  readonly tokens: number;
  readonly outputTokens: number;
}

/** Statistics of recent calls with the same key and model. */
export interface RecentTokens {
  /** The longest answer. */
  readonly outputMost: number;
  /** The average answer. */
  readonly outputAverage: number;
  /** The average of prompt and answer together. */
  readonly average: number;
}

const callsKept = 8;
const kindsKept = 5_000;

/** The usage of recent calls by key and model, to estimate the next call. */
export class RecentUse {
  readonly #pasts = new BoundedMap<string, Past[]>(kindsKept);

  note(kind: string, past: Past): void {
    const pasts = this.#pasts.getOrInsert(kind, () => []);
    if (pasts.length === callsKept) pasts.shift();
    pasts.push(past);
  }

  /** Undefined if there were no calls with this key and model. */
  of(kind: string): RecentTokens | undefined {
    const pasts = this.#pasts.get(kind);
    if (!pasts) return undefined;
    let [outputMost, outputSum, sum] = [0, 0, 0];
    for (const { tokens, outputTokens } of pasts) {
      outputMost = Math.max(outputMost, outputTokens);
      outputSum += outputTokens;
      sum += tokens;
    }
    const { length } = pasts;
    return {
      outputMost,
      outputAverage: Math.ceil(outputSum / length),
      average: Math.ceil(sum / length),
    };
  }
}
