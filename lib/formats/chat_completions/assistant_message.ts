import type {
  Continuation,
  JsonObject,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from "../../canonical/mod.ts";
import { isEmpty, objectOf } from "../wire_value.ts";
import { encodeCitations } from "./answer/part.ts";
import { encodeCache } from "./cache.ts";
import { encodeCall, encodeSignature, isFunctionCall } from "./calls.ts";
import { contentOf, encodeNative, encodeText } from "./content.ts";
import { encodeImage } from "./media.ts";
import { format, ownFields } from "./native.ts";
import { type PlacedPart, type RequestContext, sentToolName } from "./request_context.ts";
import { encodeReplayedThoughts, isOwnThought } from "./thoughts.ts";

/** An assistant's message in the making: each kind of part in its member of this format. */
interface Draft {
  readonly content: JsonObject[];
  readonly refusals: string[];
  readonly thoughts: ReasoningPart[];
  readonly calls: JsonObject[];
  readonly images: JsonObject[];
  readonly members: Record<string, JsonObject | readonly JsonObject[]>;
}

/** The message of an assistant's turn; undefined if this format can express nothing of it. */
export function encodeAssistant(
  { parts, native }: { readonly parts: readonly PlacedPart[]; readonly native: JsonObject },
  context: RequestContext,
): JsonObject[] {
  const draft: Draft = {
    content: [],
    refusals: [],
    thoughts: [],
    calls: [],
    images: [],
    members: {},
  };
  for (const placed of parts) write(placed, draft, context);
  const said = {
    ...encodeReplayedThoughts(draft.thoughts),
    ...(draft.refusals.length > 0 && { refusal: draft.refusals.join("") }),
    ...(draft.images.length > 0 && { images: draft.images }),
    ...(draft.calls.length > 0 && { tool_calls: draft.calls }),
    ...draft.members,
  };
  if (draft.content.length === 0 && isEmpty(said) && !context.own) return [];
  const content = draft.content.length > 0 ? contentOf(draft.content) : null;
  return [{ role: "assistant", ...native, content, ...said }];
}

function write({ part, path }: PlacedPart, draft: Draft, context: RequestContext): void {
  if (part.type !== "native") context.notes.foreign(part.native, `${path}.native`);
  switch (part.type) {
    case "text":
      return writeText(part, path, draft, context);
    case "refusal":
      return writeRefusal(part, draft);
    case "reasoning":
      return writeThought(part, path, draft, context);
    case "tool-call":
      return writeCall(part, path, draft, context);
    case "image":
      return writeImage(part, path, draft, context);
    case "audio":
      return writeAudio(part, path, draft, context);
    case "native":
      return writeNative(part, path, draft, context);
    case "video":
    case "file":
      return context.notes.add("assistantMedia", path);
    case "tool-result":
      return context.notes.add("misplaced", path);
    default:
      return part satisfies never;
  }
}

function writeText(part: TextPart, path: string, draft: Draft, context: RequestContext): void {
  if (part.citations?.length) writeCitations(part, path, draft, context);
  draft.content.push(encodeText(part, path, context));
  if (takesProof(part.continuation, context)) {
    Object.assign(draft.members, encodeSignature(part.continuation.data));
  }
}

/** Writes citations that upstreams of this format made; others have no place in a replayed message. */
function writeCitations(
  part: TextPart,
  path: string,
  draft: Draft,
  { own, notes }: RequestContext,
): void {
  if (own) {
    draft.members.annotations = encodeCitations(part.citations ?? [], { ...part, offset: 0 });
  } else notes.add("citations", `${path}.citations`);
}

/** Writes a refusal back into the content if it came from there. */
function writeRefusal(part: Extract<Part, { type: "refusal" }>, draft: Draft): void {
  const own = ownFields(part);
  if (own?.type === "refusal") {
    draft.content.push({ type: "refusal", refusal: part.text, ...objectOf(own.beside) });
  } else draft.refusals.push(part.text);
}

function writeThought(
  part: ReasoningPart,
  path: string,
  draft: Draft,
  { notes, own, traits }: RequestContext,
): void {
  if (isOwnThought(part) && (own || traits.thoughts)) draft.thoughts.push(part);
  else notes.add("reasoning", path);
}

/** Writes a continuation if its upstream has an extension for it. */
function takesProof(
  continuation: Continuation | undefined,
  { own, traits }: RequestContext,
): continuation is Continuation {
  return continuation?.issuer === format && (own || traits.thoughts);
}

function writeCall(part: ToolCallPart, path: string, draft: Draft, context: RequestContext): void {
  const name = sentToolName(part, context);
  if (part.cache) context.notes.add("cache", `${path}.cache`);
  if (isFunctionCall(part)) {
    draft.members.function_call = { name, arguments: part.arguments };
    return;
  }
  const { continuation } = part;
  const proof = takesProof(continuation, context) ? continuation.data : undefined;
  draft.calls.push(encodeCall(part, name, proof));
}

function writeImage(
  part: Extract<Part, { type: "image" }>,
  path: string,
  draft: Draft,
  context: RequestContext,
): void {
  if (!ownFields(part)) return context.notes.add("assistantMedia", path);
  draft.images.push({ ...encodeImage(part, path), ...encodeCache(part.cache, path, context) });
}

/** The vendor keeps the audio of its model; a replay refers to it by id. */
function writeAudio(
  { source }: Extract<Part, { type: "audio" }>,
  path: string,
  draft: Draft,
  { notes }: RequestContext,
): void {
  if (source.type === "file-id" && source.format === format) {
    draft.members.audio = { id: source.id };
  } else notes.add("assistantMedia", path);
}

function writeNative(
  part: Extract<Part, { type: "native" }>,
  path: string,
  draft: Draft,
  context: RequestContext,
): void {
  const wire = encodeNative(part, path, context);
  if (!wire) return;
  (ownFields(part)?.type === "tool_calls" ? draft.calls : draft.content).push(wire);
}
