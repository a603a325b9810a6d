import type { ComponentChildren } from "preact";
import type { OtherUpstreams } from "../../lib/console/calls/call_fix.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Attempt, RequestLogRow } from "../../lib/store/log/mod.ts";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

interface TimelineProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
  /** The upstreams that were not tried, for administrators and failed calls. */
  readonly untried: OtherUpstreams | undefined;
}

/** A stretch of the axis. */
interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly kind: "failed" | "pause" | "part";
}

const notTriedMax = 3;

/**
 * The phases of a call on one axis: its attempts, the pauses between them, its answer. Nothing for a
 * call that the gateway refused.
 */
export function CallTimeline(props: TimelineProps) {
  const { view, call } = props;
  const { catalog: { usage, callFailure: failure }, formats } = view;
  if (!call.attempts?.length && call.firstByteMs === undefined) return null;
  const pauseMs = pausesOf(call).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const inAll = formats.span(call.durationMs);
  return (
    <Panel
      id="timeline"
      title={usage.timeline}
      beside={
        <span class="hint">
          {pauseMs >= 1 ? failure.backOff(inAll, formats.span(pauseMs)) : failure.inAll(inAll)}
        </span>
      }
    >
      <div class="body">
        <ol class="timeline">
          <Attempts {...props} />
          <Answer {...props} />
          <Skipped {...props} />
          <NotTried {...props} />
        </ol>
        <Axis {...props} />
        <Legend view={view} call={call} />
      </div>
    </Panel>
  );
}

function Attempts({ view, call }: TimelineProps) {
  const pauses = pausesOf(call);
  return (
    <>
      {call.attempts?.map((attempt, at) => (
        <Step key={at} call={call} stretches={[stretchOf(attempt), ...pauses.slice(at, at + 1)]}>
          <b>{attemptName(attempt, at + 1, view)}</b>
          <AttemptEnd view={view} attempt={attempt} before={call.attempts?.[at - 1]} />
        </Step>
      ))}
    </>
  );
}

function Answer({ view: { catalog: { usage }, formats }, call }: TimelineProps) {
  const { firstByteMs: fromMs, durationMs: toMs } = call;
  if (fromMs === undefined) return null;
  return (
    <Step call={call} stretches={[{ fromMs, toMs, kind: "part" }]}>
      <b>{usage.answering}</b>
      <span>{usage.firstByteAfter(formats.span(fromMs))}</span>
    </Step>
  );
}

/** The members of a virtual model that were not tried. */
function Skipped({ view: { catalog: { callFailure: failure } }, call }: TimelineProps) {
  return (
    <>
      {call.chain?.skipped?.map(({ model, reason }) => (
        <Step key={model} call={call} stretches={[]}>
          <b {...untranslated}>{model}</b>
          <span>{failure.skipped[reason]}</span>
        </Step>
      ))}
    </>
  );
}

function NotTried({ view: { catalog: { callFailure: failure } }, call, untried }: TimelineProps) {
  if (untried === undefined || !call.attempts?.length) return null;
  const reasons = [
    ...untried.serving.map((id) => [id, failure.notNeeded(call.model)] as const),
    ...untried.others.map((id) => [id, failure.notServing(call.model)] as const),
  ];
  return (
    <>
      {reasons.slice(0, notTriedMax).map(([id, reason]) => (
        <Step key={id} call={call} stretches={[]}>
          <b {...untranslated}>{id}</b>
          <span>{reason}</span>
        </Step>
      ))}
    </>
  );
}

function AttemptEnd(
  { view: { catalog: { usage }, formats }, attempt, before }: {
    view: AccountView;
    attempt: Attempt;
    before?: Attempt;
  },
) {
  const { startedAfterMs, durationMs, status, outcome, errorCode, upstreamId, credentialId } =
    attempt;
  const isRetry = before?.upstreamId === upstreamId && before.credentialId === credentialId;
  const ended = status ?? usage.noAnswer;
  return (
    <span>
      {isRetry && `${usage.retried} · `}
      {ended} · {usage.asked(formats.span(startedAfterMs), formats.span(durationMs))}
      {outcome !== "completed" && errorCode && (
        <>
          {" · "}
          <code {...untranslated}>{errorCode}</code>
        </>
      )}
    </span>
  );
}

/** Names the upstream for operators only; everybody else sees the attempt's number. */
function attemptName(
  { upstreamId, upstreamModel, model }: Attempt,
  number: number,
  { catalog: { usage }, may }: AccountView,
): string {
  const places = may("calls:read") ? [upstreamId, upstreamModel] : [];
  const names = [...model === undefined || model === upstreamModel ? [] : [model], ...places];
  return names.length > 0 ? usage.attemptAt(number, names.join(" / ")) : usage.attempt(number);
}

function stretchOf({ startedAfterMs, durationMs, outcome }: Attempt): Stretch {
  const kind = outcome === "completed" ? "part" : "failed";
  return { fromMs: startedAfterMs, toMs: startedAfterMs + durationMs, kind };
}

/** The pause after each attempt but the last. */
function pausesOf({ attempts = [] }: RequestLogRow): Stretch[] {
  return attempts.slice(1).map(({ startedAfterMs: toMs }, at) => {
    const { toMs: fromMs } = stretchOf(attempts[at]);
    return { fromMs: Math.min(fromMs, toMs), toMs, kind: "pause" };
  });
}

/** One line of the axis. Its text says the same. */
function Step(
  { call, stretches, children }: {
    call: RequestLogRow;
    stretches: readonly Stretch[];
    children: ComponentChildren;
  },
) {
  const whole = Math.max(call.durationMs, 1);
  const share = (ms: number) => Math.min(100, Math.max(0, 100 * ms / whole));
  return (
    <li>
      <p>{children}</p>
      <svg class="bar" width="100%" height="10" aria-hidden="true">
        <rect class="track" y="3" width="100%" height="4" rx="2" />
        {stretches.map(({ fromMs, toMs, kind }) => (
          <rect
            class={kind}
            x={`${Math.min(share(fromMs), 99.2)}%`}
            width={`${Math.max(0.8, share(toMs) - share(fromMs))}%`}
            y={kind === "pause" ? 3 : 0}
            height={kind === "pause" ? 4 : 10}
            rx="2"
          />
        ))}
      </svg>
    </li>
  );
}

const anchors = ["start", "middle", "middle", "middle", "end"] as const;

function Axis({ view: { formats }, call }: TimelineProps) {
  return (
    <svg class="timeline-axis" width="100%" height="16" aria-hidden="true">
      {anchors.map((anchor, at) => (
        <text x={`${25 * at}%`} y="12" text-anchor={anchor}>
          {at === 0 ? "0" : formats.span(call.durationMs * at / 4)}
        </text>
      ))}
    </svg>
  );
}

function Legend({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { legend } = view.catalog.callFailure;
  const marks = [
    ["failed", call.attempts?.some(({ outcome }) => outcome !== "completed"), legend.failed],
    ["pause", pausesOf(call).length > 0, legend.backOff],
    ["part", call.firstByteMs !== undefined, legend.answering],
  ] as const;
  return (
    <ul class="timeline-legend">
      {marks.filter(([, isThere]) => isThere).map(([kind, , text]) => (
        <li key={kind}>
          <svg class="bar" width="10" height="10" aria-hidden="true">
            <rect class={kind} width="10" height="10" rx="2" />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}
