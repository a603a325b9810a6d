import { GatewayError } from "./error.ts";
import type { FormatName, NativeFields } from "./format.ts";

/**
 * A reference to state that only one vendor stores or can read: a compacted history or the request
 * to make one, a stored thread, or a cached part of the prompt. Only an upstream of that format can
 * answer. Without the state the client would wait forever, or the model would not know the
 * conversation.
 */
export interface VendorState {
  readonly kind: "compaction" | "compacted-history" | "thread" | "stored-prompt";
  readonly format: FormatName;
  /** The path in the request, such as `input[12]`. */
  readonly param: string;
  /** Members of the refusal by which clients of the format recognize it. */
  readonly refusal?: NativeFields;
}

const wordings = {
  compaction: {
    meaning: "requests a compaction",
    ability: "can make",
    remedy: "Switch compaction off in the client",
  },
  "compacted-history": {
    meaning: "is a compacted history",
    ability: "of the vendor that made it can read",
    remedy: "Send the conversation as it was before its compaction",
  },
  thread: {
    meaning: "refers to a history that its vendor stores",
    ability: "can do",
    remedy: "Send the whole conversation without a thread",
  },
  "stored-prompt": {
    meaning: "refers to a part of the prompt that its vendor stores",
    ability: "can read",
    remedy: "Send that part in the request",
  },
} as const satisfies Record<VendorState["kind"], Record<"meaning" | "ability" | "remedy", string>>;

/** `unsupported_parameter` (400): no candidate upstream has the state. */
export function vendorStateRefusal(state: VendorState): GatewayError {
  const { kind, format, param, refusal } = state;
  const { meaning, ability, remedy } = wordings[kind];
  const able = kind === "compacted-history" ? "that vendor" : `the ${format} format`;
  return new GatewayError(
    "unsupported_parameter",
    `Cannot convert the request: ${param} ${meaning}, which only an upstream of the ${format} ` +
      `format ${ability}. Not charged. ` +
      `${remedy}, or choose a model that has an upstream of ${able}`,
    { param, ...(refusal && { native: refusal }) },
  );
}

/** Throws that refusal if the request is sent in another format than its vendor state has. */
export function assertVendorStateFits(
  { vendorState }: { readonly vendorState?: VendorState },
  format: FormatName | undefined,
): void {
  if (vendorState && vendorState.format !== format) throw vendorStateRefusal(vendorState);
}
