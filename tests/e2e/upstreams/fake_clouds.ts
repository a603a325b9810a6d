import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { Cloud } from "../../../lib/store/catalog/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { chunkFrame, joined } from "../../upstreams/surfaces/frames.ts";
import { plainRequest, streamOf } from "../conversion/format_pair.ts";
import type { Seen } from "../fake_upstream.ts";

/** One way of a cloud to serve a model, and what its own servers insist on. */
export interface CloudWay {
  readonly id: string;
  readonly cloud: Cloud;
  /** The name of the model there. */
  readonly model: string;
  readonly format: FormatName;
  /** The whole address of a call, and that of a stream if it differs. */
  readonly path: string;
  readonly streamPath?: string;
  readonly auth: readonly [header: string, value: string];
  /** True if it takes the key as a bearer token, too, as the vendor's own client sends it. */
  readonly takesBearer?: true;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members that the body must have, and members that it must not have. */
  readonly has?: JsonObject;
  readonly lacks?: readonly string[];
  readonly isBinary?: true;
}

const bearer = ["authorization", "Bearer key"] as const;
const claude = { format: "messages", lacks: ["fallbacks", "cache_control"] } as const;
const region = "eu-central-1";
const project = "p1";
const opus = "eu.anthropic.claude-opus-5";
const onVertex = "/v1/projects/p1/locations/global";

/** Every surface in every format that it speaks. */
export const cloudWays: readonly CloudWay[] = [
  {
    ...claude,
    id: "bedrock",
    cloud: { surface: "bedrock", region },
    model: opus,
    path: "/anthropic/v1/messages",
    auth: bearer,
    has: { model: opus },
  },
  {
    id: "bedrock-chat",
    cloud: { surface: "bedrock", region },
    model: "openai.gpt-oss-120b-1:0",
    format: "chat-completions",
    path: "/openai/v1/chat/completions",
    auth: bearer,
  },
  {
    ...claude,
    id: "mantle",
    cloud: { surface: "bedrock-mantle", region },
    model: "anthropic.claude-opus-5",
    path: "/anthropic/v1/messages",
    auth: bearer,
  },
  {
    id: "mantle-gpt",
    cloud: { surface: "bedrock-mantle", region },
    model: "openai.gpt-5.5",
    format: "chat-completions",
    path: "/openai/v1/chat/completions",
    auth: bearer,
  },
  {
    id: "mantle-oss",
    cloud: { surface: "bedrock-mantle", region },
    model: "openai.gpt-oss-20b",
    format: "chat-completions",
    path: "/v1/chat/completions",
    auth: bearer,
  },
  {
    ...claude,
    id: "invoke",
    cloud: { surface: "bedrock-invoke", region },
    model: "anthropic.claude-haiku-4-5-20251001-v1:0",
    path: "/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke",
    streamPath: "/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke-with-response-stream",
    auth: bearer,
    has: { anthropic_version: "bedrock-2023-05-31" },
    lacks: ["model", "stream", "fallbacks", "cache_control"],
    isBinary: true,
  },
  {
    ...claude,
    id: "aws",
    cloud: { surface: "claude-on-aws", region, workspaceId: "wrkspc_1" },
    model: "claude-opus-5",
    path: "/v1/messages",
    auth: ["x-api-key", "key"],
    takesBearer: true,
    headers: { "anthropic-workspace-id": "wrkspc_1" },
    lacks: [],
  },
  {
    id: "vertex-gemini",
    cloud: { surface: "vertex", project },
    model: "gemini-3-pro",
    format: "generate-content",
    path:
      `/v1beta1/projects/p1/locations/global/publishers/google/models/gemini-3-pro:generateContent`,
    streamPath:
      `/v1beta1/projects/p1/locations/global/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse`,
    auth: bearer,
  },
  {
    ...claude,
    id: "vertex-claude",
    cloud: { surface: "vertex", project },
    model: "claude-sonnet-4-5@20250929",
    path: `${onVertex}/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`,
    streamPath:
      `${onVertex}/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict`,
    auth: bearer,
    has: { anthropic_version: "vertex-2023-10-16" },
    lacks: ["model", "fallbacks", "cache_control"],
  },
  {
    id: "vertex-llama",
    cloud: { surface: "vertex", project },
    model: "meta/llama-5",
    format: "chat-completions",
    path: `${onVertex}/endpoints/openapi/chat/completions`,
    auth: bearer,
    has: { model: "meta/llama-5" },
  },
  {
    id: "azure",
    cloud: { surface: "azure-openai" },
    model: "deployed",
    format: "chat-completions",
    path: "/openai/v1/chat/completions",
    auth: ["api-key", "key"],
  },
  {
    id: "azure-dated",
    cloud: { surface: "azure-openai", apiVersion: "2024-10-21" },
    model: "deployed",
    format: "chat-completions",
    path: "/openai/deployments/deployed/chat/completions?api-version=2024-10-21",
    auth: ["api-key", "key"],
  },
  {
    ...claude,
    id: "foundry",
    cloud: { surface: "foundry" },
    model: "my-claude",
    path: "/anthropic/v1/messages",
    auth: ["x-api-key", "key"],
    lacks: ["fallbacks"],
  },
];

/** The responses format's address where a surface serves it beside chat. */
const beside: readonly (readonly [RegExp, string])[] = [
  [/\/openai\/deployments\/deployed\/chat\/completions/, "/openai/responses"],
  [/\/chat\/completions/, "/responses"],
];

/** The answer of a cloud; a refusal that says what the call lacks. */
export function cloudAnswer(way: CloudWay, seen: Seen): Response {
  const path = seen.path.slice(way.id.length + 1).replace(bareColon, "%3A"); // AWS takes both
  const format = formatAt(way, path);
  const fault = format === undefined ? `path ${path}` : faultIn(way, path, seen);
  if (format === undefined || fault !== undefined) {
    return Response.json({ error: { message: `The cloud refuses ${fault}` } }, { status: 400 });
  }
  const answer = answerIn(format);
  if (!isStream(way, path, seen)) return Response.json(answer);
  const events = streamOf(format, answer);
  if (way.isBinary) return binary(events.map(({ data }) => chunkFrame(JSON.parse(data))));
  return new Response(events.map(sseText).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}

export const eventStream = "application/vnd.amazon.eventstream";

export function binary(frames: readonly Uint8Array[]): Response {
  return new Response(joined(frames), {
    headers: { "content-type": eventStream },
  });
}

/** A colon of a model's version, which the vendor's client does not encode. */
const bareColon = /(?<=-v\d):(?=\d)/;

function formatAt({ format, path, streamPath, cloud }: CloudWay, asked: string) {
  if (asked === path || asked === streamPath) return format;
  const canRespond = format === "chat-completions" && cloud.surface !== "vertex";
  const other = beside.find(([pattern]) => pattern.test(path));
  const isResponses = canRespond && other && path.replace(other[0], other[1]) === asked;
  return isResponses ? "responses" as const : undefined;
}

function isStream({ streamPath }: CloudWay, path: string, { body }: Seen): boolean {
  return streamPath === undefined ? JSON.parse(body).stream === true : path === streamPath;
}

/** Vertex wants `stream` in the body too, although the path says it. */
function faultIn(way: CloudWay, path: string, { headers, body }: Seen): string | undefined {
  const [name, value] = way.auth;
  const isBearer = way.takesBearer && headers.get(bearer[0]) === bearer[1];
  if (headers.get(name) !== value && !isBearer) return `the header ${name}`;
  for (const [header, wanted] of Object.entries(way.headers ?? {})) {
    if (headers.get(header) !== wanted) return `the header ${header}`;
  }
  const sent: JsonObject = JSON.parse(body);
  const lacking = Object.entries(way.has ?? {}).find(([member, wanted]) => sent[member] !== wanted);
  if (lacking) return `a body without ${lacking[0]}`;
  const extra = way.lacks?.find((member) => sent[member] !== undefined);
  if (extra !== undefined) return `a body with ${extra}`;
  const isTold = way.isBinary || way.format !== "messages" || way.streamPath === undefined ||
    (sent.stream === true) === (path === way.streamPath);
  return isTold ? undefined : "a body that says nothing of the stream";
}

function answerIn(format: FormatName): JsonObject {
  const response = codecs.messages.decodeResponse(
    messagesAnswer({ content: [{ type: "text", text: "Cats nap" }] }),
  );
  const context = { requestId: "req_c", model: "m", createdAtMs: 0, request: plainRequest };
  return codecs[format].encodeResponse(response, context);
}
