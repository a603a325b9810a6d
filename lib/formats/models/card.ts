import type { FormatName } from "../../canonical/mod.ts";

/** What a caller may know of a model that it may use. Each format's model list is a projection of it. */
export interface ModelCard {
  /** The public name, as a request gives it. */
  readonly id: string;
  readonly displayName: string;
  readonly createdAtMs: number;
  readonly ownedBy: string;
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** The formats in which the caller may use it; none where it is for another purpose than answers. */
  readonly formats: readonly FormatName[];
  /** Addresses of the endpoints beside the formats at which it may be used, such as `/v1/embeddings`. */
  readonly relayed?: readonly string[];
}
