/** Something that the conversion of a request or of an answer lost or changed. Recorded, logged and sent in `tessera-notes`. */
export interface Note {
  /** The place in the request, such as `tools[2].strict` or `sampling.seed`; `answer…` is in the answer. */
  readonly path: string;
  readonly action: "dropped" | "emulated" | "clamped" | "repaired";
  /** A short sentence for a person: sentence case, no full stop. */
  readonly reason: string;
}
