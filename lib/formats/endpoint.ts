/** Operations other than generating, relayed unchanged to any upstream that has them. */
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
  | "get-usage"
  | "get-key"
  | "get-subscription"
  | "get-billing-usage"
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
 * An address of the gateway. `path` is absolute and may hold one `{model}` or `{id}`, followed by
 * an `{item}`; `{model}` matches across `/`. `verb` follows the last colon of the path.
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly verb?: string;
  /**
   * A second prefix for a `{model}` whose name holds a slash: some clients leave out the collection
   * before such names.
   */
  readonly bareHead?: string;
  readonly operation: Operation;
  /** True for an address that keys of every group may call, whatever their formats. */
  readonly isOwnKey?: true;
}
