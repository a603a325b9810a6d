import { type FormatName, formatNames, GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { WireRequest } from "../formats/wire.ts";
import { codecs } from "../formats/mod.ts";
import type { UpstreamTimeouts } from "../store/mod.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import { outboundOf } from "./ask.ts";
import { credentialsOf } from "./credential.ts";
import type { WholeLimits } from "./reply.ts";
import type { Outbound } from "./send.ts";

/** The time-outs of a look at an upstream, for which somebody waits in the console. */
export const lookTimeouts: UpstreamTimeouts = {
  connectMs: 5_000,
  firstByteMs: 15_000,
  idleMs: 10_000,
  totalMs: 30_000,
};

/** The bounds of the answer to a look; no vendor comes near them. */
export const lookLimits: WholeLimits = {
  answerBytesMax: 16 * 1024 * 1024,
  nestingMax: 100,
  answerContainersMax: 500_000,
};

/** The codec by which an upstream is looked at: of the formats that it speaks, the first that all know. Throws where it has no address. */
export function lookCodec({ id, endpoints }: Pick<UpstreamRecord, "id" | "endpoints">): Codec {
  const format: FormatName | undefined = formatNames.find((name) => endpoints[name] !== undefined);
  if (format) return codecs[format];
  throw new GatewayError("no_upstream", `The upstream ${id} has no address`);
}

/** A look at an address below the upstream's base URL, with its first credential. Throws where that cannot be opened. */
export function lookOutbound(
  upstream: UpstreamRecord,
  codec: Codec,
  wire: Pick<WireRequest, "path"> & { readonly body?: string },
): Outbound {
  const [credential] = credentialsOf(upstream);
  const candidate = { upstream, upstreamModel: "", ...(credential && { credential }) };
  const asked = { path: wire.path, search: {}, headers: {}, body: {} };
  const { body: _, ...bare } = outboundOf(candidate, codec, { wire: asked, body: "" });
  return wire.body === undefined
    ? { ...bare, method: "GET" }
    : { ...bare, method: "POST", body: wire.body };
}
