/**
 * The playground's knowledge of the four formats: it builds requests, reads answers and writes
 * code. Pure and without imports from other folders, so that it runs in the browser and on the
 * server.
 */
export {
  dialects,
  type PlaygroundFormat,
  playgroundFormats,
  type SnippetKind,
  snippetKinds,
} from "./dialects.ts";
export {
  type FieldFaults,
  fieldMax,
  type FieldName,
  fieldNames,
  type Fields,
  fieldsOf,
  type FieldValues,
  readFields,
  readTools,
  validParameters,
} from "./fields.ts";
export {
  emptyAnswer,
  type PartialAnswer,
  type PlacedCall,
  type Problem,
  problemOf,
  readAnswerStream,
  withPiece,
} from "./answer_stream.ts";
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
export {
  type Advantage,
  advantagesOf,
  type AssistantReply,
  endedReply,
  extendedReply,
  failedReply,
  type Lane,
  laneBefore,
  newReply,
  openCalls,
  promptTurns,
  type Receipt,
  type Round,
  roundsOf,
  type UserMessage,
  withReply,
  withTurn,
} from "./session.ts";
export {
  formatsOfGroup,
  groupsFor,
  lanesMax,
  type ModelChoice,
  type PlaygroundOffer,
  type PlaygroundSettings,
  possibleChoice,
  readPlaygroundSettings,
  settingsQuery,
} from "./settings.ts";
export type { SnippetInput } from "./snippets.ts";
export { fill, spanText } from "./texts.ts";
