/** What a format's vendor does beside generating, passed on as it is to whichever upstream has it. */
export type RelayedOperation =
  | "embed"
  | "complete"
  | "generate-image"
  | "edit-image"
  | "speak"
  | "transcribe"
  | "translate"
  | "moderate"
  | "rerank";

export type Operation =
  | RelayedOperation
  | "generate"
  | "count-tokens"
  | "list-models"
  | "get-model"
  | "get-response"
  | "delete-response"
  | "cancel-response"
  | "list-input-items"
  | "create-conversation"
  | "get-conversation"
  | "update-conversation"
  | "delete-conversation"
  | "create-conversation-items"
  | "list-conversation-items"
  | "get-conversation-item"
  | "delete-conversation-item";

/**
 * An address that the gateway serves. `path` is absolute and may hold one `{model}` or `{id}`, and
 * an `{item}` behind that; `{model}` matches across `/`. A `verb` is what follows the last colon of
 * the path.
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly verb?: string;
  /** Another prefix of a `{model}` whose name holds a slash: some clients write such names without the collection before them. */
  readonly bareHead?: string;
  readonly operation: Operation;
}
