import { capsuleBeginning, type VendorState, vendorStateRefusal } from "../canonical/mod.ts";
import type { CompactionWanted, FoundCapsule, WireChanges } from "../formats/compaction_codec.ts";
import { changedRequest, type Decoded } from "../http/decode.ts";
import type { WithHistory } from "../responses_state/mod.ts";
import { isOfVendor } from "../upstreams/presets/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { type CapsuleKeys, openedCapsule } from "./capsule.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { likelyInputTokens } from "./settled_usage.ts";

/** A compaction that the gateway makes itself. */
export interface Compacting {
  readonly wanted: CompactionWanted;
  readonly keys: CapsuleKeys;
  /** The request for the summary. */
  readonly asked: Decoded;
  /** The caller's request as it arrived. */
  readonly arrived: Decoded;
  /** The number of compactions before it. */
  readonly chain: number;
}

/** A call whose capsules are opened, with the candidates that can serve it. */
interface Compacted extends WithHistory {
  readonly candidates: readonly Candidate[];
  readonly compacting?: Compacting;
}

/**
 * Opens the gateway's own capsule in the history, and prepares the compaction that the request asks
 * for, unless an upstream makes it itself. At once for a call without either. Throws the format's
 * error for a capsule that does not open, and `unsupported_parameter` for one of a vendor that is
 * not among the candidates.
 */
export function withCompaction(
  call: Compacted,
  accountId: string,
  { capsules, compactionPrompt }: Pick<GatewayDeps, "capsules" | "compactionPrompt">,
): Compacted | Promise<Compacted> {
  const { codec: { compaction: codec } } = call.call;
  if (!codec || !isCompaction(call.decoded.envelope.vendorState)) return call;
  return compacted(call, { box: capsules, accountId, codec }, compactionPrompt());
}

/** Returns true for state that the gateway may have made, or can make. */
export function isCompaction(state: VendorState | undefined): boolean {
  return state?.kind === "compaction" || state?.kind === "compacted-history";
}

async function compacted(call: Compacted, keys: CapsuleKeys, prompt: string): Promise<Compacted> {
  const { chain, ...opened } = await withOpened(call, keys);
  if (!isCompaction(opened.decoded.envelope.vendorState)) return opened;
  const able = vendorsOf(opened);
  if (able.length > 0) return { ...forVendor(opened), candidates: able };
  const { decoded: { wire } } = opened;
  const wanted = keys.codec.wanted(call.decoded.wire); // as the client sees it: a capsule alone is nothing to compact
  const plain = { ...opened, decoded: changed(opened, keys.codec.withoutWish(wire)) };
  if (!wanted || !isPassed(wanted, opened.decoded)) return plain;
  const text = `${wanted.instructions ?? prompt}\n\n${closing}`;
  const asked = changed(opened, keys.codec.summaryRequest(wire, text));
  return {
    ...withoutStoring(plain),
    decoded: { ...plain.decoded, samplings: triesMax + Number(wanted.answers) },
    compacting: { wanted, keys, asked, arrived: call.decoded, chain },
  };
}

/** A model may answer the user instead of summarizing. */
const closing =
  "Answer with the summary alone. Call no tools, and do not continue the task itself.";
/** Maximum requests for a summary: an empty one is requested once more. */
export const triesMax = 2;

/** The candidates that compact histories and open their own capsules: the vendor's, or as configured. */
function vendorsOf({ call: { codec }, candidates }: Compacted): readonly Candidate[] {
  return candidates.filter(({ upstream, format }) =>
    format === codec.name && (upstream.ownCompaction ?? isOfVendor(upstream, format))
  );
}

/**
 * The request with its capsule opened, for a count of its tokens; one that a vendor encrypted is not
 * counted.
 */
export async function openedForCount(
  call: WithHistory,
  accountId: string,
  { capsules: box }: Pick<GatewayDeps, "capsules">,
): Promise<Decoded> {
  const { codec: { compaction: codec } } = call.call;
  const found = codec?.capsuleIn(call.decoded.wire.body);
  if (!codec || !found) return call.decoded;
  const text = isOurs(found)
    ? (await openedCapsule(found, { box, accountId, codec })).text
    : found.summary;
  if (text === undefined) return call.decoded;
  return changed(call, { members: codec.opened(call.decoded.wire.body, text) });
}

async function withOpened(
  call: Compacted,
  keys: CapsuleKeys,
): Promise<Compacted & { readonly chain: number }> {
  const { codec } = keys;
  const { wire: { body }, envelope: { vendorState } } = call.decoded;
  const found = codec.capsuleIn(body);
  if (!found || !vendorState) return { ...call, chain: 0 };
  const open = (text: string, chain: number) => ({
    ...call,
    decoded: changed(call, { members: codec.opened(body, text) }),
    chain,
  });
  if (isOurs(found)) {
    const { text, chain } = await openedCapsule(found, keys);
    return open(text, chain);
  }
  if (vendorsOf(call).length > 0) return { ...call, chain: 0 };
  if (found.summary === undefined) throw vendorStateRefusal(vendorState);
  return open(found.summary, 1); // a vendor's own, in words that any model can read
}

function isOurs({ sealed }: FoundCapsule): boolean {
  return sealed?.startsWith(capsuleBeginning) === true;
}

/** Returns true if the prompt has as many tokens as the request allows before its compaction. */
function isPassed({ threshold }: CompactionWanted, decoded: Decoded): boolean {
  return threshold === undefined || likelyInputTokens(decoded) >= threshold;
}

/** The endpoint that only compacts takes no state, which a stored history leaves in the request. */
function forVendor(call: Compacted): Compacted {
  if (!isOnlyCompacted(call) || !call.keeping) return call;
  const members = { store: undefined, include: undefined };
  return { ...withoutStoring(call), decoded: changed(call, { members }) };
}

function withoutStoring(call: Compacted): Compacted {
  return isOnlyCompacted(call) ? { ...call, keeping: undefined } : call;
}

function isOnlyCompacted({ call: { endpoint } }: WithHistory): boolean {
  return endpoint.operation === "compact-response";
}

function changed({ call: { codec }, decoded }: WithHistory, changes: WireChanges): Decoded {
  return changedRequest(codec, decoded, changes);
}
