import type { AccountState } from "../session/state.ts";

/** The kinds of hits, in the order in which equally good ones are shown. */
export const hitKinds = [
  "calls",
  "keys",
  "models",
  "users",
  "upstreams",
  "groups",
  "projects",
  "pages",
  "actions",
] as const;
export type HitKind = typeof hitKinds[number];

/** Something that a search found. It never holds more of a secret than its last four characters. */
interface Hit {
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly note?: string;
  readonly href: string;
}

/** The hits of one kind, best first. */
export interface HitGroup {
  readonly kind: HitKind;
  readonly hits: readonly Hit[];
  /** The score of the first hit. */
  readonly best: number;
}

export type Found = Omit<HitGroup, "kind">;

/** A search by one reader. */
export interface SearchRequest {
  readonly state: AccountState;
  readonly text: string;
  /** The most hits of a kind. */
  readonly most: number;
}
