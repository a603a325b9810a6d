import { type FormatName, formatNames, GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import { codecs } from "../formats/mod.ts";
import type { WireRequest } from "../formats/wire.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import type { UpstreamTimeouts } from "../store/mod.ts";
import { outboundOf } from "./prepare_request.ts";
import { credentialsOf } from "./credential.ts";
import type { WholeLimits } from "./reply.ts";
import type { Outbound } from "./send.ts";

/** The timeouts of a probe, short because a console user waits for its result. */
export const probeTimeouts: UpstreamTimeouts = {
  connectMs: 5_000,
  firstByteMs: 15_000,
  idleMs: 10_000,
  totalMs: 30_000,
};

/** The bounds of the answer to a probe, far above what any vendor sends. */
export const probeLimits: WholeLimits = {
  answerBytesMax: 16 * 1024 * 1024,
  nestingMax: 100,
  answerContainersMax: 500_000,
};

/** The codec of the probe: the first of the formats that the upstream speaks. Throws if it has no address. */
export function probeCodec({ id, endpoints }: Pick<UpstreamRecord, "id" | "endpoints">): Codec {
  const format: FormatName | undefined = formatNames.find((name) => endpoints[name] !== undefined);
  if (format) return codecs[format];
  throw new GatewayError("no_upstream", `Upstream ${id} has no base URL`);
}

/**
 * A request to an address below the upstream's base URL, with its first credential. Throws if that
 * cannot be opened.
 */
export function probeOutbound(
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
