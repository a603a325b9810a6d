/**
 * A loss or change in the conversion of a request or of an answer. Stored with the call, logged and
 * sent in `tessera-notes`.
 */
export interface Note {
  /**
   * The path in the request, such as `tools[2].strict` or `sampling.seed`; paths in the answer
   * start with `answer`.
   */
  readonly path: string;
  readonly action: "dropped" | "emulated" | "clamped" | "repaired";
  /** One sentence for a person: sentence case, no full stop. */
  readonly reason: string;
}

/** The rows of a table of notes, each with its path, `i`, `j` and `k` for positions, and its reason. */
export const dropped = rowsOf("dropped");
export const emulated = rowsOf("emulated");
export const clamped = rowsOf("clamped");
export const repaired = rowsOf("repaired");

function rowsOf<Action extends Note["action"]>(action: Action) {
  return <Path extends string>(path: Path, reason: string) => ({ path, action, reason }) as const;
}
