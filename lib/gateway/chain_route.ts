import { hash } from "node:crypto";
import type { Caller } from "../accounts/authorize.ts";
import { GatewayError, type Part } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { needsPrice } from "../ledger/mod.ts";
import {
  candidatesFor,
  type ChainFacts,
  type MemberWays,
  type RouteQuery,
  unmetCondition,
} from "../routing/mod.ts";
import type { CalledChain, ChainMember, SkippedMember } from "../store/catalog/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { circumstancesOf } from "./circumstances.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** A call to a virtual model. */
export interface ChainCall {
  readonly name: string;
  /** The member that the chain's order and conditions put first. */
  readonly first: string;
  /** The members that may serve the call, in the order to try them. */
  readonly members: readonly MemberWays[];
  /** The members that were not tried so far, with the reason. */
  readonly skipped: SkippedMember[];
  /** Stays with the member that answers it; absent if the call names no session. */
  readonly session?: string;
}

interface Asked {
  readonly call: Call;
  readonly caller: Caller;
  readonly decoded: Decoded;
}

/**
 * The members of a virtual model that may serve a call, in the chain's order: but a session that a
 * failure moved to another member stays there. Waits only if a member asks for the spent share of a budget.
 * Throws `no_upstream` if the conditions of all members exclude the call.
 */
export function routeChain(
  members: readonly ChainMember[],
  asked: Asked,
  gateway: GatewayDeps,
): ChainCall | Promise<ChainCall> {
  const planned = (spentPercent: number) => planOf(members, { ...asked, spentPercent }, gateway);
  if (members.every(({ budgetPercent }) => budgetPercent === undefined)) return planned(0);
  return gateway.chains.spentPercent(asked.caller).then(planned);
}

function planOf(
  members: readonly ChainMember[],
  asked: Asked & Pick<ChainFacts, "spentPercent">,
  gateway: GatewayDeps,
): ChainCall {
  const { decoded: { envelope: { model: name } } } = asked;
  const session = sessionOf(asked, name);
  const facts = factsOf(asked, session ?? asked.call.id, gateway);
  const skipped: SkippedMember[] = [];
  const able: MemberWays[] = [];
  for (const member of members) {
    const found = unmetCondition(member, facts) ?? waysOf(member, asked, gateway);
    if (typeof found === "string") skipped.push({ model: member.model, reason: found });
    else able.push({ member, candidates: found });
  }
  if (able.length === 0) throw nobodyServes(name, skipped);
  const { model: first } = able[0].member;
  const kept = session === undefined ? first : gateway.chains.memberFor(session, first);
  const ordered = able.toSorted((a, b) =>
    Number(b.member.model === kept) - Number(a.member.model === kept)
  );
  return { name, first, members: ordered, skipped, ...(session !== undefined && { session }) };
}

/** The candidates of a member, or the reason why it has none. */
function waysOf(
  { model }: ChainMember,
  { call, caller, decoded: { envelope: { conversation } } }: Asked,
  gateway: GatewayDeps,
): readonly Candidate[] | "unserved" | "unpriced" {
  const { prices } = gateway;
  const query: RouteQuery = {
    model,
    conversation,
    format: call.codec.name,
    groupId: caller.group.id,
    isMember: true,
  };
  const found = candidatesFor(query, gateway.upstreams(), circumstancesOf(gateway));
  if (found.length === 0) return "unserved";
  if (!needsPrice(caller)) return found;
  const priced = found.filter(({ upstreamModel }) =>
    prices.priceFor({ model, upstreamModel }, call.startedAtMs) !== undefined
  );
  return priced.length > 0 ? priced : "unpriced";
}

function factsOf(
  { decoded, spentPercent }: Asked & Pick<ChainFacts, "spentPercent">,
  session: string,
  { clock }: GatewayDeps,
): ChainFacts {
  const isRelayed = decoded.format === undefined; // without a canonical form
  return {
    nowMs: clock.now(),
    stream: decoded.envelope.stream,
    hasTools: () => !isRelayed && decoded.canonical().tools.length > 0,
    hasImages: () =>
      !isRelayed && decoded.canonical().turns.some(({ parts }) => parts.some(isImage)),
    spentPercent,
    session,
  };
}

function isImage(part: Part): boolean {
  return part.type === "image" || (part.type === "tool-result" && part.parts.some(isImage));
}

/** Names a session at a virtual model: the client's own, else the start of its conversation. */
function sessionOf(
  { caller: { key, session }, decoded: { envelope } }: Asked,
  name: string,
): string | undefined {
  const stated = session ? `${session.id}/${session.agent ?? ""}` : envelope.conversation?.();
  return stated === undefined
    ? undefined
    : hash("sha256", `${key.id} ${name} ${stated}`, "base64url");
}

function nobodyServes(name: string, skipped: readonly SkippedMember[]): GatewayError {
  const reasons = skipped.map(({ model, reason }) => `${model} (${reason})`).join(", ");
  const isUnpriced = skipped.every(({ reason }) => reason === "unpriced");
  return new GatewayError(
    isUnpriced ? "model_unpriced" : "no_upstream",
    `No member of the virtual model '${name}' serves this call: ${reasons}`,
  );
}

/** The part of the call's row about its virtual model, without members that were tried after all. */
export function chainOfRow(
  { name, skipped }: ChainCall,
  attempts: readonly { readonly model?: string }[],
): CalledChain {
  const left = skipped.filter(({ model }) => attempts.every((attempt) => attempt.model !== model));
  return left.length === 0 ? { name } : { name, skipped: left };
}
