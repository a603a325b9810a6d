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
