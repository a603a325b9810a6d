import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";

/** The stream of a whole answer: written without the codecs, in pieces of uneven size. */
export const streamOf: Readonly<Record<FormatName, (whole: JsonObject) => JsonObject[]>> = {
  "chat-completions": streamedCompletion,
  responses: streamedResponse,
  messages: streamedMessage,
  "generate-content": streamedContent,
};

const pieceChars = 611;
/** Padding that hides the length of a piece. */
const obfuscation = "kQ8vYpadding";

function piecesOf(text: JsonValue | undefined): string[] {
  const all = Array.from(typeof text === "string" ? text : "");
  return Array.from(
    { length: Math.ceil(all.length / pieceChars) },
    (_, at) => all.slice(at * pieceChars, (at + 1) * pieceChars).join(""),
  );
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function streamedCompletion(whole: JsonObject): JsonObject[] {
  const { choices, usage, id, created, model, object: _, ...members } = whole;
  const head = { id, created, model, object: "chat.completion.chunk" } as JsonObject; // sound: members of JSON
  const chunks = objects(choices).flatMap(({ message, index, finish_reason, ...choice }) =>
    [
      { delta: { role: "assistant", content: "", refusal: null }, ...choice },
      ...messageDeltas(objectOf(message)).map((delta) => ({ delta })),
      { delta: {}, finish_reason },
    ].map((one) => ({
      ...head,
      choices: [{ index, finish_reason: null, ...one }],
      usage: null,
      obfuscation,
    }))
  );
  return [...chunks, { ...head, ...members, choices: [], usage }] as JsonObject[]; // sound: as above
}

function messageDeltas(message: JsonObject): JsonObject[] {
  const { content, refusal, audio, tool_calls, role: _, ...more } = message;
  const { reasoning_content, reasoning, reasoning_details, ...beside } = more;
  const { data, transcript, ...heard } = objectOf(audio);
  return [
    ...piecesOf(reasoning_content).map((piece) => ({ reasoning_content: piece })),
    ...piecesOf(reasoning).map((piece) => ({ reasoning: piece })),
    ...objects(reasoning_details).map((detail) => ({ reasoning_details: [detail] })),
    ...piecesOf(content).map((piece) => ({ content: piece })),
    ...(Object.keys(beside).length > 0 ? [beside] : []),
    ...piecesOf(refusal).map((piece) => ({ refusal: piece })),
    ...(audio ? [{ audio: heard }] : []),
    ...piecesOf(transcript).map((piece) => ({ audio: { transcript: piece } })),
    ...piecesOf(data).map((piece) => ({ audio: { data: piece } })),
    ...objects(tool_calls).flatMap(callDeltas),
  ];
}

function callDeltas(call: JsonObject, index: number): JsonObject[] {
  const kind = isJsonObject(call.custom) ? "custom" : "function";
  const text = kind === "custom" ? "input" : "arguments";
  const called = objectOf(call[kind]);
  return [
    { tool_calls: [{ ...call, index, [kind]: { ...called, [text]: "" } }] },
    ...piecesOf(called[text]).map((piece) => ({
      tool_calls: [{ index, [kind]: { [text]: piece } }],
    })),
  ];
}

function streamedResponse(whole: JsonObject): JsonObject[] {
  const begun = { ...whole, status: "in_progress", output: [], usage: null, completed_at: null };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...objects(whole.output).flatMap(itemEvents),
    { type: `response.${whole.status}`, response: whole },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function itemEvents(item: JsonObject, output_index: number): JsonObject[] {
  const place = { output_index, item_id: item.id ?? "" };
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, ...emptied(item), status: "in_progress" },
    },
    ...innerEvents(item).map((event) => ({ ...place, ...event })),
    { type: "response.output_item.done", output_index, item },
  ];
}

function emptied({ type }: JsonObject): JsonObject {
  switch (type) {
    case "message":
      return { content: [] };
    case "reasoning":
      return { summary: [], encrypted_content: "" };
    case "function_call":
      return { arguments: "" };
    case "custom_tool_call":
      return { input: "" };
    default:
      return {};
  }
}

function innerEvents(item: JsonObject): JsonObject[] {
  switch (item.type) {
    case "message":
      return objects(item.content).flatMap(contentEvents);
    case "reasoning":
      return [
        ...objects(item.summary).flatMap(summaryEvents),
        ...objects(item.content).flatMap(contentEvents),
      ];
    case "function_call":
      return textEvents("response.function_call_arguments", "arguments", item);
    case "custom_tool_call":
      return textEvents("response.custom_tool_call_input", "input", item);
    default:
      return [];
  }
}

function textEvents(name: string, member: string, holder: JsonObject): JsonObject[] {
  return [
    ...piecesOf(holder[member]).map((delta) => ({ type: `${name}.delta`, delta, obfuscation })),
    { type: `${name}.done`, [member]: holder[member] ?? "" },
  ];
}

const contentNames: Readonly<Record<string, { readonly name: string; readonly member: string }>> = {
  output_text: { name: "response.output_text", member: "text" },
  refusal: { name: "response.refusal", member: "refusal" },
  reasoning_text: { name: "response.reasoning_text", member: "text" },
};

function contentEvents(part: JsonObject, content_index: number): JsonObject[] {
  const { name, member } = contentNames[String(part.type)];
  const events = [
    {
      type: "response.content_part.added",
      part: { ...part, [member]: "", annotations: [], logprobs: [] },
    },
    ...textEvents(name, member, part),
    ...objects(part.annotations).map((annotation, annotation_index) => ({
      type: "response.output_text.annotation.added",
      annotation_index,
      annotation,
    })),
    { type: "response.content_part.done", part },
  ];
  return events.map((event) => ({ ...event, content_index }));
}

function summaryEvents(part: JsonObject, summary_index: number): JsonObject[] {
  const events = [
    { type: "response.reasoning_summary_part.added", part: { ...part, text: "" } },
    ...textEvents("response.reasoning_summary_text", "text", part),
    { type: "response.reasoning_summary_part.done", part },
  ];
  return events.map((event) => ({ ...event, summary_index }));
}

function streamedMessage(whole: JsonObject): JsonObject[] {
  const {
    content,
    stop_reason,
    stop_sequence,
    stop_details,
    container,
    context_management,
    ...rest
  } = whole;
  const { iterations, fallback_credit, server_tool_use, ...usage } = objectOf(whole.usage);
  const ended = { stop_reason, stop_sequence, stop_details, container };
  const counted = { ...usage, iterations, fallback_credit, server_tool_use };
  return plain([
    {
      type: "message_start",
      message: { ...rest, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    ...objects(content).flatMap(blockEvents),
    { type: "message_delta", delta: ended, usage: counted, context_management },
    { type: "message_stop" },
  ]);
}

/** Drops what is undefined, as JSON does. */
function plain(value: unknown): JsonObject[] {
  return JSON.parse(JSON.stringify(value));
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const opened = { ...block, ...emptyBlock(block) };
  return [
    { type: "content_block_start", index, content_block: opened },
    ...blockDeltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function emptyBlock({ type }: JsonObject): JsonObject {
  if (type === "text") return { text: "", citations: null };
  if (type === "thinking") return { thinking: "", signature: "" };
  return isCall(type) ? { input: {} } : {};
}

function isCall(type: JsonValue | undefined): boolean {
  return type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use";
}

function blockDeltas(block: JsonObject): JsonObject[] {
  const { type, text, thinking, signature, input } = block;
  if (type === "text") {
    return [
      ...piecesOf(text).map((piece) => ({ type: "text_delta", text: piece })),
      ...objects(block.citations).map((citation) => ({ type: "citations_delta", citation })),
    ];
  }
  if (type === "thinking") {
    return [
      ...piecesOf(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature: signature ?? "" },
    ];
  }
  if (!isCall(type)) return [];
  return piecesOf(JSON.stringify(input)).map((piece) => ({
    type: "input_json_delta",
    partial_json: piece,
  }));
}

function streamedContent(whole: JsonObject): JsonObject[] {
  const { candidates, usageMetadata, modelVersion, responseId, ...rest } = whole;
  const head = { modelVersion, responseId };
  const chunks = objects(candidates).flatMap(({ content, index, ...ending }) => [
    ...objects(objectOf(content).parts).flatMap(partPieces).map((part) => ({
      candidates: [{ content: { role: "model", parts: [part] }, index }],
      ...head,
    })),
    {
      candidates: [{ content: { role: "model", parts: [{ text: "" }] }, index, ...ending }],
      ...head,
    },
  ]);
  const [first = head, ...others] = chunks;
  const all = [{ ...first, ...rest }, ...others];
  return plain(all.map((chunk, at) => at === all.length - 1 ? { ...chunk, usageMetadata } : chunk));
}

/** Text arrives in pieces, its signature with the last one; everything else arrives whole. */
function partPieces(part: JsonObject): JsonObject[] {
  const { text, thoughtSignature, ...rest } = part;
  if (typeof text !== "string") return [part];
  const pieces = piecesOf(text).map((piece) => ({ text: piece, ...rest }));
  return thoughtSignature === undefined ? pieces : [...pieces, { text: "", thoughtSignature }];
}
