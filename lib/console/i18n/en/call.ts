import type { ErrorCode } from "../../../canonical/mod.ts";

/** The page of a failed call. */
export const callFailure = {
  notCharged: "Not charged",
  charged: (amount: string) => `Charged ${amount}`,
  safe: "Safe to retry: no output was produced",
  again: "A retry may answer twice",
  useless: "An unchanged retry fails again",
  you: "You can fix it",
  administrator: "Your administrator can fix it",
  upstream: "Only the upstream can fix it",
  request: "A changed request can fix it",
  said: (upstream: string, status: string) => `Message from ${upstream}, HTTP ${status}`,
  retry: "Retry in playground",
  ask: "Ask administrator",
  askText: (contact: string) => `Send ${contact} the link to this call.`,
  askAnyone: "Send your administrator the link to this call.",
  fixes: {
    addFunds: "Add funds",
    editKey: "Change key limits",
    editGroup: "Change group limits",
    editUser: "Change account limits",
    editProject: "Change project limits",
    editOrganization: "Change the organization's limits",
    editTag: "Change tag budgets",
    replaceCredential: "Replace credential",
    openUpstream: "Open upstream",
    editModels: "Correct the models",
    addFallback: (upstream: string) => `Add ${upstream} as fallback`,
    addUpstream: "Add upstream",
    setPrice: "Set price",
    chooseModel: "Choose a model",
  },
  fallbackAdded: (upstream: string, model: string) =>
    `${upstream} now serves ${model}. New calls fall back to it.`,
  fallbackRemoved: (upstream: string, model: string) => `${upstream} no longer serves ${model}.`,
  inAll: (span: string) => `${span} in all`,
  backOff: (span: string, pause: string) => `${span} in all, ${pause} of it back-off`,
  notServing: (model: string) => `Not tried: does not serve ${model}`,
  notNeeded: (model: string) => `Not tried: serves ${model}, but was not chosen`,
  legend: { failed: "Failed attempt", backOff: "Back-off", answering: "Response" },
  same: "Same failure within the hour",
  sameText: (calls: string, keys: number, time: string) =>
    `${calls}, ${keys === 1 ? "1 key" : `${keys} keys`}. Started ${time}.`,
  show: "Show",
  received: "Response to the client",
  receivedText: (status: string) => `${status}, with the same sentence`,
};

export const call = {
  title: "Call",
  copyId: "Copy request ID",
  failedOver: (isCharged: boolean, by = "Another upstream", after = "the first one") =>
    `${by} answered after ${after} failed.` +
    (isCharged ? " Charged once, for the answer only." : ""),
  forInput: (input: string) => `out, ${input} in`,
  sentence: {
    completed: "The call succeeded.",
    truncated: "The response was interrupted.",
    upstream_error: "The upstream failed.",
    client_gone: "The client disconnected before the response ended.",
    timeout: "The call timed out.",
    refused: "The call was refused.",
  },
  replayed: "Replayed",
  replayedText:
    "Replayed: the call got the answer of an earlier call with the same Idempotency-Key. It was not charged.",
  firstCall: "First call",
  reason: "Reason",
  facts: "Details",
  tokens: "Tokens",
  time: "Time",
  endpoint: "Format",
  model: "Model",
  upstreamModel: "Upstream model",
  key: "Key",
  group: "Group",
  status: "HTTP status",
  errorCode: "Error code",
  upstream: "Upstream",
  upstreamFormat: "Upstream format",
  socket: "WebSocket",
  stream: "Streamed",
  yes: "Yes",
  no: "No",
  firstByte: "First byte",
  duration: "Duration",
  userAgent: "Client",
  ip: "IP address",
  notes: "Conversion notes",
  notesText:
    "Fields changed or dropped when converting between the two formats. Paths that start with answer are in the response; all others are in the request.",
  cost: {
    title: "Cost",
    charged: "Charged",
    request: "Per call",
    uncovered: "Exceeds the balance, not charged",
  },
  noUsage: "No token usage was reported for this call.",
  counted: "The upstream reported no complete usage. The gateway counted these tokens.",
  doubted: {
    counted: (input: string, output: string) =>
      `The upstream reported ${input} input and ${output} output tokens, more than this request allows. The call was charged for the tokens that the gateway counted.`,
    stated: (input: string, output: string) =>
      `The gateway counted ${input} input and ${output} output tokens. Parts of this call are not in the request, so it was charged for the tokens that the upstream reported.`,
  },
  bucket: {
    inputTokens: "Input, uncached",
    cacheReadTokens: "Input, read from cache",
    cacheWrite5mTokens: "Input, written to cache (5 min)",
    cacheWrite1hTokens: "Input, written to cache (1 h)",
    cacheWrite12hTokens: "Input, written to cache (12 h)",
    audioInputTokens: "Audio input",
    imageInputTokens: "Image input",
    outputTokens: "Output",
    reasoningTokens: "Reasoning",
    audioOutputTokens: "Audio output",
    imageOutputTokens: "Image output",
  },
  noteAction: {
    dropped: "Dropped",
    emulated: "Emulated",
    clamped: "Clamped",
    repaired: "Repaired",
  },
};

/** A short cause for each error code. */
export const causes: Record<ErrorCode | "interrupted", string> = {
  invalid_json: "Body is not JSON",
  invalid_request: "A field is missing or wrong",
  unsupported_parameter: "Unsupported parameter",
  content_blocked: "Prompt blocked by upstream",
  context_length_exceeded: "Context length exceeded",
  conversion_lossy: "Lossy conversion refused",
  invalid_api_key: "Invalid API key",
  insufficient_quota: "Balance or budget exhausted",
  model_not_allowed: "Model not allowed for key",
  format_not_allowed: "Format not allowed for group",
  ip_not_allowed: "IP address not allowed for key",
  model_unpriced: "Model has no price",
  tier_unpriced: "Service tier has no price",
  model_not_found: "Model not found",
  response_not_found: "Stored response not found",
  previous_response_not_found: "Previous response not found",
  conversation_not_found: "Conversation not found",
  item_not_found: "Item not found",
  unknown_endpoint: "Unknown endpoint",
  endpoint_not_served: "Endpoint not supported by upstream",
  duplicated_path_segment: "Extra path segment in base URL",
  method_not_allowed: "Wrong HTTP method",
  body_timeout: "Upload timed out",
  request_in_progress: "First call still running",
  idempotency_key_reused: "Idempotency-Key reused",
  answer_not_stored: "Answer not stored",
  body_too_large: "Body too large",
  body_too_complex: "Body too complex",
  unsupported_media_type: "Content type is not JSON",
  websocket_unsupported: "No WebSocket here",
  rate_limit_exceeded: "Rate limited",
  client_closed: "Client disconnected",
  internal_error: "Gateway error",
  upstream_error: "Upstream error",
  compaction_failed: "No summary of the conversation",
  upstream_invalid_response: "Malformed upstream response",
  upstream_unauthorized: "Upstream rejected the credential",
  upstream_unreachable: "Upstream unreachable",
  upstream_truncated: "Stream interrupted by upstream",
  no_upstream: "No upstream available",
  upstream_overloaded: "Upstream overloaded",
  gateway_overloaded: "Gateway overloaded",
  shutting_down: "Gateway shutting down",
  store_unavailable: "Store unavailable",
  upstream_timeout: "Upstream timed out",
  interrupted: "Interrupted by restart",
};

/** The remedy for each error code. */
export const errorRemedies: Record<ErrorCode, string> = {
  invalid_json:
    "The body is not valid JSON. Check quotes and commas, and that it was sent completely.",
  invalid_request: "A field is missing or invalid. The error message names it.",
  unsupported_parameter: "Remove the parameter: the model or the format does not support it.",
  content_blocked: "The upstream's content filter blocked the prompt. Rephrase it.",
  context_length_exceeded: "The prompt exceeds the model's context length. Shorten it.",
  conversion_lossy:
    "The upstream's format cannot express the request, and tessera-strict forbids lossy conversion. Remove the header, or choose a model of the same format.",
  invalid_api_key: "Check that the key is complete, enabled and not expired.",
  insufficient_quota:
    "The balance or a budget is exhausted. Add funds, raise the budget, or wait for its next period.",
  model_not_allowed: "The key or its group may not use this model. Choose one from the model list.",
  format_not_allowed: "The key's group may not use this format. Call another endpoint.",
  ip_not_allowed: "The key does not allow this IP address. Change its allowed addresses.",
  model_unpriced:
    "The model has no price. Ask an administrator to set one, or to allow unpriced models for the group.",
  tier_unpriced:
    "The service tier, region or fallback model has no price. Remove it, or ask an administrator to set one.",
  model_not_found: "Check the model's name against the model list.",
  response_not_found: "The stored response has expired, or belongs to another account.",
  previous_response_not_found:
    "An earlier response of the chain has expired, or belongs to another account. Send the whole input.",
  conversation_not_found: "The conversation was deleted, or belongs to another account.",
  item_not_found: "The item was deleted, or belongs to another account. Send the whole item.",
  unknown_endpoint: "Check the path: the client's base URL is probably wrong.",
  endpoint_not_served:
    "No upstream of the model supports this endpoint. Choose another model, or ask an administrator to add such an upstream.",
  duplicated_path_segment: "The client's base URL has an extra path segment. Remove it.",
  method_not_allowed: "This address needs another HTTP method.",
  body_timeout: "The request body arrived too slowly. Check the connection and retry.",
  request_in_progress:
    "The first call with the same Idempotency-Key was still running. Retry with the same key.",
  idempotency_key_reused:
    "Another request had the same Idempotency-Key in the last 24 hours. Use a new key for each request.",
  answer_not_stored:
    "The first call with the same Idempotency-Key was charged, but its answer was too long to be stored. Use a new key.",
  body_too_large: "The request body is too large. Send a smaller one.",
  body_too_complex:
    "The request body has too many or too deeply nested objects. Send a simpler one.",
  unsupported_media_type: "Send the body as application/json.",
  websocket_unsupported: "Use HTTP streaming: no WebSocket is opened at this address.",
  rate_limit_exceeded: "A rate limit was reached. Retry later, or raise the limit.",
  client_closed: "The client disconnected. Check its timeout settings.",
  internal_error: "This is a gateway bug. Give your administrator the request ID.",
  upstream_error: "Retry. If it persists, ask your administrator about this upstream.",
  compaction_failed:
    "The model wrote no summary of the conversation, in two attempts. Retry, or use another model.",
  upstream_invalid_response: "The upstream sent a malformed response. Retry, or use another model.",
  upstream_unauthorized:
    "The upstream rejected the gateway's credential. Notify your administrator.",
  upstream_unreachable: "The gateway could not connect to the upstream. Retry later.",
  upstream_truncated: "The upstream interrupted the stream. Retry.",
  no_upstream: "No upstream can serve the model at the moment. Retry later, or use another model.",
  upstream_overloaded: "The upstream is overloaded. Retry later.",
  gateway_overloaded: "The gateway is overloaded. Retry later.",
  shutting_down: "The gateway was restarting. Retry.",
  store_unavailable:
    "The gateway could not record the call. Retry later; the cause is in the gateway's log.",
  upstream_timeout: "The upstream timed out. Retry, or request a shorter response.",
};

/** Relayed endpoints. */
export const endpoints = {
  "embed": "Embeddings",
  "complete": "Completions",
  "generate-image": "Image generations",
  "edit-image": "Image edits",
  "speak": "Speech",
  "transcribe": "Transcriptions",
  "translate": "Audio translations",
  "moderate": "Moderations",
  "rerank": "Rerank",
  "decide": "Decisions",
};

/** The link to the API reference. */
export const apiReference = "API reference";
