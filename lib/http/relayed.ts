import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import type { Envelope } from "../formats/codec.ts";
import { assertRelayable, type RelayedEndpoint, relayedEndpoint } from "../formats/relayed/mod.ts";
import type { Admission } from "./body/body.ts";
import { assertSaidOnce } from "./body/bound_members.ts";
import { readRelayedBody, type RelayedBody, type RelayedLimits } from "./body/relayed_body.ts";
import type { Call } from "./call.ts";
import { assertModelName, type Decoded } from "./decode.ts";

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
