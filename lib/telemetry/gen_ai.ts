import type { FinishReason } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";

/** The vendor and the address of the upstream that a call reached last. */
export interface CallPlace {
  /** `gen_ai.provider.name`: a well-known value, or the upstream's id. */
  readonly provider: string;
  /** The base URL; absent for a model inside the gateway. */
  readonly url?: string;
}

/** The provider of calls that reached no upstream, and of models inside the gateway. */
const ownProvider = "tessera";

/** Returns the provider's name in OpenTelemetry. */
export function providerOf(place: CallPlace | undefined): string {
  return place?.provider ?? ownProvider;
}

/** The operations with a well-known name; all others keep their own, with underscores. */
const operationNames: Readonly<Record<string, string>> = {
  embed: "embeddings",
  complete: "text_completion",
};

/** `gen_ai.operation.name` of a call, by the format that the upstream was called in. */
export function operationOf(
  { operation, format, upstreamFormat = format }: Pick<
    RequestLogRow,
    "operation" | "format" | "upstreamFormat"
  >,
): string {
  if (operation !== "generate") {
    return operationNames[operation] ?? operation.replaceAll("-", "_");
  }
  return upstreamFormat === "generate-content" ? "generate_content" : "chat";
}

/** The finish reasons in the words of the semantic conventions. */
export const finishWords = {
  stop: "stop",
  "stop-sequence": "stop",
  "tool-calls": "tool_call",
  length: "length",
  "context-full": "length",
  "content-filter": "content_filter",
  refusal: "content_filter",
  pause: "pause",
  compaction: "compaction",
} as const satisfies Record<FinishReason, string>;
