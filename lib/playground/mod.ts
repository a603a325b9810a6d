/**
 * The playground's knowledge of the four formats: it builds requests, reads answers and writes
 * code. Pure and without imports from other folders, so that it runs in the browser and on the
 * server.
 */
export { type Answer, emptyAnswer, heard, type Problem, problemOf } from "./answer.ts";
export { dialects, type PlaygroundFormat, playgroundFormats } from "./dialects.ts";
export {
  type FieldFaults,
  fieldMax,
  type FieldName,
  fieldNames,
  type Fields,
  fieldsOf,
  type FieldValues,
  parametersOf,
  readFields,
} from "./fields.ts";
export { fill } from "./fill.ts";
export { formatsFor, groupsFor, type Offer, possible } from "./offer.ts";
export { hear } from "./hear.ts";
export { prettyJson, readJson } from "./json.ts";
export {
  type Attachment,
  efforts,
  type Parameters,
  type Prompt,
  type Tool,
  type ToolCall,
  type ToolResult,
  type Turn,
  type WireRequest,
} from "./prompt.ts";
export { readTools } from "./read_fields.ts";
export {
  before,
  ended,
  failed,
  grown,
  type Lane,
  newReply,
  openCalls,
  promptTurns,
  type Receipt,
  type Reply,
  type Said,
  withReply,
  withTurn,
} from "./session.ts";
export { type Choice, readSettings, type Settings, settingsQuery } from "./settings.ts";
export { type Snippet, snippetKinds, snippetOf } from "./snippets.ts";
