import { hash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../../canonical/mod.ts";
import { atOnceMax, readJson } from "../../json/mod.ts";
import { Pace } from "../../pace.ts";
import type { Frame } from "./frame.ts";

/** A request as frames of a WebSocket state it. */
export interface SocketRequest {
  /** The body of the POST without the members that a WebSocket implies. */
  readonly body: JsonObject;
  /** Its whole input, as items. */
  readonly items: readonly JsonValue[];
  /** A digest of each item. */
  readonly digests: readonly string[];
}

const unbounded = {
  nestingMax: Infinity,
  containersMax: Infinity,
  membersMax: Infinity,
  valuesMax: Infinity,
};

/** Reads the body of a POST request that the gateway wrote or checked. */
export async function socketRequest(sent: string | Uint8Array): Promise<SocketRequest> {
  const value = await valueOf(sent);
  const { stream: _, stream_options: __, background: ___, ...body } = isJsonObject(value)
    ? value
    : {};
  const items = typeof body.input === "string"
    ? [{ type: "message", role: "user", content: body.input }]
    : Array.isArray(body.input)
    ? body.input
    : [];
  const pace = new Pace();
  const digests: string[] = [];
  for (const item of items) {
    digests.push(digestOf(item));
    await pace.giveWay();
  }
  return { body, items, digests };
}

async function valueOf(sent: string | Uint8Array): Promise<JsonValue> {
  if (sent.length > atOnceMax) {
    const bytes = typeof sent === "string" ? new TextEncoder().encode(sent) : sent;
    return (await readJson(bytes, unbounded)).value;
  }
  return JSON.parse(typeof sent === "string" ? sent : new TextDecoder().decode(sent));
}

function digestOf(item: JsonValue): string {
  return hash("sha256", JSON.stringify(item), "base64");
}

/** The answer that the upstream holds in memory for a connection, and the input that led to it. */
export class LastTurn {
  /** The digests of the whole input and of the output. */
  #digests: string[] = [];
  #model: JsonValue | undefined;
  #responseId?: string;

  /** The members that send only what is new; undefined if the request does not continue exactly. */
  continued({ body, items, digests }: SocketRequest): JsonObject | undefined {
    const known = this.#digests.length;
    const isNext = this.#responseId !== undefined && body.model === this.#model &&
      items.length > known &&
      this.#digests.every((digest, place) => digest === digests[place]);
    return isNext
      ? { previous_response_id: this.#responseId ?? null, input: items.slice(known) }
      : undefined;
  }

  /** Begins a turn. */
  begin({ body, digests }: SocketRequest): void {
    this.forget();
    this.#digests = [...digests];
    this.#model = body.model;
  }

  /** Sees each frame of the turn's answer. */
  see({ type, value }: Frame): void {
    if (type === "response.created") {
      const id = isJsonObject(value?.response) ? value.response.id : undefined;
      this.#responseId = typeof id === "string" ? id : undefined;
    } else if (type === "response.output_item.done") {
      if (value?.item === undefined) this.#responseId = undefined; // too long to read
      else this.#digests.push(digestOf(value.item));
    }
  }

  forget(): void {
    this.#digests = [];
    this.#responseId = undefined;
  }
}
