import { type FormatName, isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import { SseReader } from "../../../lib/http/stream/sse.ts";
import { startStrict, strictCredential, type StrictUpstream } from "../../strict/mod.ts";
import { startGateway } from "../gateway.ts";
import { type ResponseObject, responseSchema } from "./schema.ts";
import { acceptsWebSocket, session, type Step, type Turn } from "./session.ts";
import { streamValidators } from "../../formats/validators/mod.ts";

/** A part of the API beyond its usual endpoint, which a case may need. */
export type Need = "websocket" | "compact";

/** The server under test, as a case uses it. */
export interface Judged extends AsyncDisposable {
  readonly upstream: StrictUpstream;
  /** Sends `body` with the model; returns the whole answer, checked against the schema. */
  create(body: JsonObject): Promise<ResponseObject>;
  /** The same streamed; returns the checked events, and the answer in the last one. */
  stream(body: JsonObject): Promise<Streamed>;
  /** Anything else, with the status. */
  call(method: string, path: string, body?: JsonObject): Promise<Told>;
  /** Sends frames over one WebSocket. */
  turns(steps: readonly Step[]): Promise<Turn[]>;
  /** Returns true if the server has what a case needs. */
  serves(need: Need): Promise<boolean>;
}

export interface Streamed {
  readonly events: readonly JsonObject[];
  readonly response: ResponseObject;
}

export interface Told {
  readonly status: number;
  readonly body: JsonObject;
}

const upstreamModels: Readonly<Record<FormatName, string>> = {
  "chat-completions": "deepseek-reasoner",
  responses: "gpt-5.1",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-3-pro-preview",
};

/** The gateway with one upstream of a format that refuses what its vendor refuses. */
export async function startJudged(format: FormatName): Promise<Judged> {
  const upstream = startStrict(format);
  const gateway = await startGateway({
    upstreams: [{
      id: format,
      endpoints: { [format]: upstream.base },
      apiKeys: [strictCredential],
      models: [{ id: "judged", upstreamModel: upstreamModels[format] }],
    }],
  });
  const send = (method: string, path: string, body?: JsonObject) =>
    fetch(gateway.base + path, {
      method,
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const told = async (response: Response) => ({
    status: response.status,
    body: await response.json(),
  });
  const address = {
    url: `${gateway.base.replace(/^http/, "ws")}/v1/responses`,
    key: gateway.key,
  };
  return {
    upstream,
    turns: (steps) => session(address, steps),
    serves: async (need) => {
      if (need === "websocket") return await acceptsWebSocket(address);
      const { status } = await told(await send("POST", "/v1/responses/compact", {}));
      return status !== 404 && status !== 405;
    },
    create: async (body) => {
      const answer = await told(await send("POST", "/v1/responses", { model: "judged", ...body }));
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return responseSchema.parse(answer.body);
    },
    stream: async (body) => {
      const asked = { model: "judged", ...body, stream: true };
      return streamed(await send("POST", "/v1/responses", asked));
    },
    call: async (method, path, body) => told(await send(method, path, body)),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

async function streamed(response: Response): Promise<Streamed> {
  const bytes = await response.bytes();
  const reader = new SseReader();
  const frames = [...reader.push(bytes), ...reader.end()].flatMap(({ event }) => event ?? []);
  const validator = streamValidators.responses();
  for (const frame of frames) validator.push(frame);
  const violations = validator.end();
  if (violations.length > 0) throw new Error(violations.join("; "));
  const events: JsonObject[] = frames.map(({ data }) => JSON.parse(data));
  for (const [at, event] of events.entries()) {
    if (event.sequence_number !== at) throw new Error(`Event ${at} bears another number`);
    if (frames[at].event !== event.type) throw new Error(`Event ${at} is named otherwise`);
    if (isJsonObject(event.response)) responseSchema.parse(event.response);
  }
  return { events, response: responseSchema.parse(events.at(-1)?.response) };
}
