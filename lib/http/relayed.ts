import { concatenated } from "../bytes.ts";
import { GatewayError, type JsonObject, type JsonValue } from "../canonical/mod.ts";
import type { Envelope } from "../formats/codec.ts";
import { assertRelayable, type RelayedEndpoint, relayedEndpoint } from "../formats/relayed/mod.ts";
import { AsciiText, isAmbiguous, type ReadText, withReadMembers } from "../json/mod.ts";
import { type Admission, readByteBody } from "./body/body.ts";
import { type FormPart, partText, readMultipart } from "./body/form.ts";
import { type BodyLimits, readJsonBody } from "./body/json_body.ts";
import type { Call } from "./call.ts";
import { assertModelName, assertSaidOnce, type Decoded, modelNamedTwice } from "./decode.ts";

/** A relayed request, read only as far as routing, limits and money need. */
export interface Relayed extends Decoded {
  readonly endpoint: RelayedEndpoint;
  readonly body: RelayedBody;
  /** Members whose values are replaced. */
  readonly sets?: JsonObject;
}

/** Reads and checks a request of a relayed endpoint. Throws as `decode` and `readMultipart` do. */
export async function decodeRelayed(
  call: Call,
  limits: RelayedLimits,
  admission?: Admission,
): Promise<Relayed> {
  const endpoint = endpointOf(call);
  const body = await readRelayedBody(call.request, endpoint, { limits, admission });
  assertSaidOnce(moneyMembers, body.read);
  assertRelayable(endpoint, body.members);
  const envelope = envelopeOf(endpoint, body.members);
  assertModelName(envelope.model);
  return {
    endpoint,
    body,
    wire: { path: call.wirePath, search: {}, headers: {}, body: body.members },
    read: body.read,
    envelope,
    ...(body.fileTokens > 0 && { fileTokens: body.fileTokens }),
    ...(endpoint.fills && { fills: endpoint.fills }),
    ...(!endpoint.limitMember && { unlimitable: true }),
    billsText: endpoint.billsText?.(body.members) ?? false,
    canonical: () => {
      throw new GatewayError("internal_error", `${call.endpoint.path} has no canonical form`);
    },
  };
}

/** A member may not be repeated: we would reserve for one value while the upstream uses the other. */
const moneyMembers = ["max_tokens", "n", "best_of", "prompt", "input", "documents"];

function endpointOf({ endpoint }: Call): RelayedEndpoint {
  const relayed = relayedEndpoint(endpoint.operation);
  if (relayed) return relayed;
  throw new GatewayError("internal_error", `${endpoint.path} is not passed on`);
}

function envelopeOf(endpoint: RelayedEndpoint, members: JsonObject): Envelope {
  const { model = endpoint.model ?? "", stream, stream_format: format } = members;
  return {
    model: String(model),
    stream: stream === true || stream === "true" || format === "sse",
    ...endpoint.bounds(members),
    framing: "sse",
  };
}

/** The body of a relayed request: the members that the gateway reads, and its bytes. */
interface RelayedBody {
  /** Its members or fields; a file is an object without members. */
  readonly members: JsonObject;
  /** The JSON text with its members; for a form, an empty text. */
  readonly read: ReadText;
  readonly fileTokens: number;
  readonly contentType: string;
  /** The body with some members set and every other byte unchanged. */
  with(members: JsonObject): string | Uint8Array<ArrayBuffer>;
}

interface RelayedLimits extends BodyLimits {
  readonly formBytesMax: number;
}

/** Reads a body in the type that its endpoint accepts. Throws as `readJsonBody` and `readMultipart` do. */
export async function readRelayedBody(
  request: Request,
  { takes, fills = [] }: RelayedEndpoint,
  { limits, admission }: { readonly limits: RelayedLimits; readonly admission?: Admission },
): Promise<RelayedBody> {
  const contentType = request.headers.get("content-type");
  const isForm = takes === "form" ||
    (takes === "either" && contentType?.toLowerCase().startsWith("multipart/"));
  if (!isForm) return jsonBody(await readJsonBody(request, limits, admission));
  const formLimits = { ...limits, bodyBytesMax: limits.formBytesMax };
  const bytes = await readByteBody(request, formLimits, { admission });
  const isAudio = fills.includes("audioInputTokens");
  return formBody(bytes, contentType, isAudio ? audioTokens : pictureTokens);
}

function jsonBody(read: ReadText): RelayedBody {
  if (isAmbiguous(read, "model")) throw modelNamedTwice();
  return {
    members: read.body,
    read: withoutOutline(read), // any text may be a medium to such an upstream
    fileTokens: 0,
    contentType: "application/json",
    with: (members) => {
      const changed = withReadMembers(read, members);
      return changed.bytes ?? changed.text;
    },
  };
}

function withoutOutline(read: ReadText): ReadText {
  if (read instanceof AsciiText) return new AsciiText(read.bytes, { ...read, outline: undefined });
  const { text, bytes, body, repeats } = read;
  return { text, bytes, body, repeats };
}

function formBody(
  bytes: Uint8Array,
  contentType: string | null,
  tokensOf: (part: FormPart) => number,
): RelayedBody {
  const parts = readMultipart(bytes, contentType);
  const models = parts.filter(({ name }) => name.toLowerCase() === "model");
  if (models.length > 1) throw modelNamedTwice();
  const files = parts.filter(({ filename }) => filename !== undefined);
  const members = membersOf(bytes, parts);
  return {
    members,
    read: { text: "", body: members },
    fileTokens: files.reduce((sum, part) => sum + tokensOf(part), 0),
    contentType: contentType ?? "",
    with: (members) => withFields(bytes, parts, members),
  };
}

function membersOf(bytes: Uint8Array, parts: readonly FormPart[]): JsonObject {
  const named = Map.groupBy(parts, ({ name }) => name);
  return Object.fromEntries([...named].map(([name, same]) => {
    const values = same.map((part): JsonValue =>
      part.filename === undefined ? partText(bytes, part) : {}
    );
    return [name, values.length === 1 ? values[0] : values];
  }));
}

/** Sets existing fields only. */
function withFields(
  bytes: Uint8Array,
  parts: readonly FormPart[],
  members: JsonObject,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { name, start, end } of parts) {
    const value = members[name];
    if (typeof value !== "string") continue;
    pieces.push(bytes.subarray(at, start), encoder.encode(value));
    at = end;
  }
  return concatenated([...pieces, bytes.subarray(at)]) as Uint8Array<ArrayBuffer>; // sound: never a shared buffer
}

/** Speech is recorded at 1,500 bytes a second at least, for ten tokens. */
const bytesPerAudioToken = 150;
/** Maximum tokens of an input image (OpenAI, at high fidelity; 2026-11-21). */
const tokensPerPicture = 6_500;

function audioTokens({ start, end }: FormPart): number {
  return Math.ceil((end - start) / bytesPerAudioToken);
}

function pictureTokens(): number {
  return tokensPerPicture;
}
