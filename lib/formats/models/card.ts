import type { FormatName } from "../../canonical/mod.ts";

/** The data about a model that a caller may see. Each format's model list is derived from it. */
export interface ModelCard {
  /** The public name, as requests use it. */
  readonly id: string;
  readonly displayName: string;
  readonly createdAtMs: number;
  readonly ownedBy: string;
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** The formats in which the caller may use it; empty for models with another purpose, such as embeddings. */
  readonly formats: readonly FormatName[];
  /** Addresses of relayed endpoints that accept it, such as `/v1/embeddings`. */
  readonly relayed?: readonly string[];
}
