/**
 * The playground's knowledge of the four formats: it builds requests, reads answers and writes
 * code. Pure and without imports from other folders, so that it runs in the browser and on the
 * server.
 */
export {
  emptyAnswer,
  heard,
  type PartialAnswer,
  type PlacedCall,
  type Problem,
  problemOf,
} from "./answer.ts";
export { type Advantage, advantagesOf, type Round, roundsOf } from "./compare.ts";
export { dialects, type PlaygroundFormat, playgroundFormats } from "./dialects.ts";
export {
  type FieldFaults,
  fieldMax,
  type FieldName,
  fieldNames,
  type Fields,
  fieldsOf,
  type FieldValues,
  readFields,
  validParameters,
} from "./fields.ts";
export { fill } from "./fill.ts";
export { formatsOfGroup, groupsFor, type Offer, possible } from "./offer.ts";
export { hear } from "./hear.ts";
export { parsedJson, prettyJson } from "./json.ts";
export {
  type Attachment,
  dataUrl,
  isImage,
  offeredEfforts,
  type Parameters,
  type PromptTurn,
  type RequestContent,
  type SentRequest,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from "./prompt.ts";
export { readTools } from "./read_fields.ts";
export {
  type AssistantReply,
  before,
  ended,
  failedReply,
  grown,
  type Lane,
  newReply,
  openCalls,
  promptTurns,
  type Receipt,
  type Said,
  withReply,
  withTurn,
} from "./session.ts";
export {
  lanesMax,
  type ModelChoice,
  type PlaygroundSettings,
  readPlaygroundSettings,
  settingsQuery,
} from "./settings.ts";
export { type SnippetKind, snippetKinds } from "./snippet_kinds.ts";
export type { SnippetInput } from "./snippets.ts";
export { spanText } from "./span_text.ts";
