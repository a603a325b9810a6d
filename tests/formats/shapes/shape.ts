/** The structure of a JSON value, as an SDK types it. */
export type Shape =
  | "string"
  | "number"
  | "any"
  | { readonly is: readonly (string | number | boolean | null)[] }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly oneOf: readonly Shape[] }
  | { readonly ref: string }
  | { readonly members: Readonly<Record<string, Member>> };

export interface Member {
  readonly shape: Shape;
  readonly optional?: true;
}

/** The shapes of requests, answers and events, with those that they refer to. */
export interface Shapes {
  /** The versions of the SDKs. */
  readonly versions: Readonly<Record<string, string>>;
  readonly roots: Readonly<Record<string, Shape>>;
  readonly named: Readonly<Record<string, Shape>>;
}
