import { GatewayError } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import type { Answer, StreamAnswer } from "../http/stream/answer.ts";
import { TailedReading } from "../http/stream/source.ts";
import { nextOutgoing } from "../http/stream/stream_body.ts";
import { outcomeOf, type StreamResult } from "../http/stream/transcoder.ts";
import { lengthOf } from "../json/mod.ts";
import {
  type AttemptResult,
  firstMember,
  firstSuccess,
  type MemberWays,
  type StartedAnswer,
  type TryBounds,
} from "../routing/mod.ts";
import type { Attempt } from "../store/log/mod.ts";
import { keptWords } from "../upstreams/mod.ts";
import { type Candidate, costTermsOf } from "../upstreams/upstream.ts";
import type { CallContext, ResolvedCall } from "./call_context.ts";
import { promptTokensOf, sentRow } from "./call_record.ts";
import type { ChainCall } from "./chain_route.ts";

/** A call whose candidates are tried. */
type AttemptedContext = CallContext & Pick<ResolvedCall, "compacting">;

/**
 * Tries candidates until an answer starts without an error. Reports each attempt to health, and
 * records it for the log. From the first one on, the call is logged even if this isolate dies.
 */
export function tryCandidates(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Promise<Answer>,
  context: AttemptedContext,
): Promise<StartedAnswer<Answer>> {
  const { call, gateway: { health, clock, ledger, limits, retries }, record } = context;
  const recorded = (candidate: Candidate) => {
    const { hold } = record;
    record.candidate = candidate;
    if (hold) {
      hold.terms = costTermsOf(candidate);
      ledger.watch(hold, () => sentRow(call, record));
    }
    return attempt(candidate);
  };
  const bounds = {
    caller: call.signal,
    deadlineMs: call.startedAtMs + limits.attemptsDeadlineMs,
    attemptsMax: limits.attemptsMax,
    waitMsMax: limits.attemptsWaitMs,
    breakerCallsMax: limits.breakerCallsMax,
    health,
    clock,
    retries,
    isRepeatable: () => isRepeatable(context),
    onAttempt: (attempted: AttemptResult) =>
      void record.attempts.push(attemptOf(attempted, call, record.decoded)),
  };
  return record.chain
    ? tryMembers(record.chain, candidates, { attempt: recorded, bounds, context })
    : firstSuccess(candidates, recorded, bounds);
}

/** False for a request that its vendor stores, and for a compaction, which is several requests. */
function isRepeatable({ record: { decoded }, keeping, compacting }: AttemptedContext): boolean {
  return compacting === undefined && (keeping !== undefined || decoded?.wire.body.store !== true);
}

function attemptOf(
  { candidate, startedAtMs, durationMs, error }: AttemptResult,
  call: Call,
  decoded: Decoded | undefined,
): Attempt {
  const { upstream, upstreamModel, model, format, credential } = candidate;
  const status = error ? error.upstreamStatus : 200;
  return {
    upstreamId: upstream.id,
    ...(credential && { credentialId: credential.id }),
    upstreamModel,
    ...(model !== undefined && { model }),
    ...(format && { upstreamFormat: format }),
    startedAfterMs: startedAtMs - call.startedAtMs,
    durationMs,
    ...(status !== undefined && { status }),
    outcome: error ? error.unsent ? "refused" : outcomeOf(error) : "completed",
    ...(error && {
      errorCode: error.code,
      ...keptWords(error, { body: decoded?.wire.body, credentials: upstream.credentials }),
    }),
  };
}

/**
 * Tries the members of a virtual model. `candidates` are those that the stages before left of its
 * own. The session stays with the member that answers.
 */
async function tryMembers(
  chain: ChainCall,
  candidates: readonly Candidate[],
  { attempt, bounds, context }: {
    readonly attempt: (candidate: Candidate) => Promise<Answer>;
    readonly bounds: TryBounds;
    readonly context: CallContext;
  },
): Promise<StartedAnswer<Answer>> {
  const { gateway: { chains, limits }, record } = context;
  const members = waysLeft(chain, candidates);
  const answerOf = async (candidate: Candidate, isReplaceable: boolean) => {
    const answer = await attempt(candidate);
    return isReplaceable ? await unlessRefused(answer, limits.answerTailMs) : answer;
  };
  const started = await firstMember(members, answerOf, {
    ...bounds,
    exceedsWindow: (ways) => exceedsWindow(ways, context),
    onSkip: ({ model }, reason) => chain.skipped.push({ model, reason }),
  });
  const model = record.candidate?.model;
  if (chain.session !== undefined && model !== undefined) {
    chains.keep(chain.session, chain.first, model);
  }
  return started;
}

/** The members with the candidates that are left of theirs. Notes those of which none is left. */
function waysLeft(chain: ChainCall, candidates: readonly Candidate[]): readonly MemberWays[] {
  const all = chain.members.map(({ member }) => ({
    member,
    candidates: candidates.filter(({ model }) => model === member.model),
  }));
  for (const { member: { model }, candidates: left } of all) {
    if (left.length === 0) chain.skipped.push({ model, reason: "unserved" });
  }
  return all.filter((ways) => ways.candidates.length > 0);
}

/** Returns true if the estimated prompt and the stated output limit exceed the window of a member. */
function exceedsWindow(
  { candidates }: MemberWays,
  { gateway: { prices }, record }: CallContext,
): boolean {
  const { decoded } = record;
  if (!decoded) return false;
  const windows = candidates.map(({ model = "", upstreamModel }) =>
    prices.limitsFor({ model, upstreamModel }).contextWindow ?? Infinity
  );
  const room = Math.max(...windows) - (decoded.envelope.maxOutputTokens ?? 0);
  if (lengthOf(decoded.read) + (decoded.fileTokens ?? 0) <= room) return false; // a token has at least a byte
  return promptTokensOf(record) > room;
}

/**
 * The answer, held until its first content if it is a stream. Throws `content_blocked` if it refuses
 * before, and the upstream's failure if it ends before.
 */
async function unlessRefused(answer: Answer, tailMs: number): Promise<Answer> {
  if (answer.type === "whole") {
    if (isRefusal(answer.result)) throw refused();
    return answer;
  }
  return answer.kind === "bytes"
    ? await begunStream(answer, tailMs)
    : await begunStream(answer, tailMs);
}

async function begunStream<Kind, T>(
  answer: StreamAnswer<Kind, T>,
  tailMs: number,
): Promise<StreamAnswer<Kind, T>> {
  const { source, transcoder } = answer;
  const first = [...answer.first];
  const reading = new TailedReading(tailMs);
  const isOver = () => first.some(({ terminal, broken }) => terminal || broken);
  while (!isOver() && !transcoder.isFinished && !transcoder.result().delivered?.begun) {
    first.push(await nextOutgoing(source, transcoder, reading));
  }
  const result = transcoder.result();
  const fault = result.error ?? (isRefusal(result) ? refused() : undefined);
  if (fault === undefined || result.delivered?.begun) return { ...answer, first };
  source.cancel(fault);
  throw fault;
}

function isRefusal({ promptBlocked, finishReasons }: StreamResult): boolean {
  const reasons = finishReasons?.() ?? [];
  return promptBlocked === true ||
    (reasons.length > 0 &&
      reasons.every((reason) => reason === "refusal" || reason === "content-filter"));
}

function refused(): GatewayError {
  return new GatewayError("content_blocked", "The model refused to answer");
}
