import { Buffer } from "node:buffer";
import type { JsonObject } from "../../canonical/mod.ts";
import type { WireRequest } from "../../formats/wire.ts";
import type { Cloud, UpstreamRecord } from "../../store/catalog/mod.ts";
import { changedBody } from "./call.ts";
import { claudeChanges } from "./claude.ts";

/** A request for a count of tokens, as its surface wants it. */
interface CountCall extends Pick<WireRequest, "path" | "headers" | "body"> {
  /** The base URLs, if the counter is at another one. */
  readonly endpoints?: UpstreamRecord["endpoints"];
  /** Makes the vendor's answer of the surface's, if they differ. */
  readonly answer?: (body: JsonObject) => JsonObject;
}

type Upstream = Pick<UpstreamRecord, "cloud" | "endpoints">;

/** The count of a Claude request on an upstream's surface; undefined if that is the vendor's own. */
export function surfaceCount(
  { cloud, endpoints }: Upstream,
  wire: WireRequest,
  model: string,
): CountCall | undefined {
  if (!cloud || endpoints.messages === undefined || !wire.path.startsWith("/v1/messages")) {
    return undefined;
  }
  const { surface } = cloud;
  if (surface === "bedrock" || surface === "bedrock-invoke") {
    const messages = endpoints.messages.replace(/\/anthropic$/, "");
    return { ...invokeCount(cloud, wire, model), endpoints: { messages } };
  }
  const { headers, members } = claudeChanges(cloud, wire, model);
  const body = changedBody(wire.body, members);
  if (surface !== "vertex") return { path: wire.path, headers, body };
  return { path: "/models/count-tokens:rawPredict", headers, body: { ...body, model } };
}

/** Areas of profiles: only a model itself can be counted for. */
const area = /^[a-z-]+\.(?=anthropic\.)/;

/** Bedrock's own count, of a body of InvokeModel. */
function invokeCount(cloud: Cloud, wire: WireRequest, model: string): CountCall {
  const asInvoke = { ...cloud, surface: "bedrock-invoke" } as const;
  const { members } = claudeChanges(asInvoke, wire, model);
  const body = changedBody({ ...wire.body, max_tokens: 1 }, members);
  const base64 = Buffer.from(JSON.stringify(body)).toString("base64");
  return {
    path: `/model/${encodeURIComponent(model.replace(area, ""))}/count-tokens`,
    headers: {},
    body: { input: { invokeModel: { body: base64 } } },
    answer: ({ inputTokens }) => ({ input_tokens: inputTokens ?? null }),
  };
}
