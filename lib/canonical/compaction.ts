import { GatewayError } from "./error.ts";
import type { FormatName, NativeFields } from "./format.ts";

/**
 * A request to replace the history by a short item, such an item, a thread whose history the vendor
 * holds, or the name of a part of the prompt that a vendor keeps. Only an upstream of one format can
 * take it. Left out, the client would wait for ever, or the model would not know the conversation.
 */
export interface Compaction {
  readonly kind: "trigger" | "capsule" | "thread" | "kept";
  readonly format: FormatName;
  /** Where it stands, such as `input[12]`. */
  readonly param: string;
  /** Members of the refusal by which clients of the format know it. */
  readonly refusal?: NativeFields;
}

const meanings = {
  trigger: "asks for a compaction, which only an upstream of the",
  capsule: "is a compacted history, which only an upstream of the",
  thread: "leaves the history with the vendor, which only an upstream of the",
  kept: "names a part of the prompt that its vendor keeps, which only an upstream of the",
} as const satisfies Record<Compaction["kind"], string>;
const remedies = {
  trigger: "Switch compaction off in the client",
  capsule: "Switch compaction off in the client and begin a new conversation",
  thread: "Send the whole conversation without a thread",
  kept: "Send that part itself",
} as const satisfies Record<Compaction["kind"], string>;

const abilities = {
  trigger: "can make",
  capsule: "can read",
  thread: "can do",
  kept: "can read",
} as const satisfies Record<Compaction["kind"], string>;

/** 400: no upstream that could answer can take it. */
export function compactionRefusal({ kind, format, param, refusal }: Compaction): GatewayError {
  return new GatewayError(
    "unsupported_parameter",
    `Cannot send the request on: ${param} ${meanings[kind]} ${format} format ${
      abilities[kind]
    }. Not charged. ` +
      `${remedies[kind]}, or choose a model that has an upstream of the ${format} format`,
    { param, ...(refusal && { native: refusal }) },
  );
}

/** Throws that refusal where a request goes out in another format than its compaction is of. */
export function assertCompactionFits(
  { compaction }: { readonly compaction?: Compaction },
  format: FormatName | undefined,
): void {
  if (compaction && compaction.format !== format) throw compactionRefusal(compaction);
}
