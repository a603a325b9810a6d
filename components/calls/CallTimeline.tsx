import type { ComponentChildren } from "preact";
import { type AccountView, type Attempt, type RequestLogRow } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

interface TimelineProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
}

/** The phases of a call: each attempt at an upstream, the first byte, the end. */
export function CallTimeline({ view, call }: TimelineProps) {
  const { catalog: { usage }, formats } = view;
  const attempts = call.attempts ?? [];
  return (
    <Panel id="timeline" title={usage.timeline}>
      <ol class="body timeline">
        {attempts.map((attempt, at) => (
          <Step call={call} fromMs={attempt.startedAfterMs} lastsMs={attempt.durationMs}>
            <b>{attemptName(attempt, at + 1, view)}</b>
            <AttemptEnd view={view} attempt={attempt} />
          </Step>
        ))}
        {call.firstByteMs !== undefined && (
          <Step call={call} fromMs={call.firstByteMs} lastsMs={call.durationMs - call.firstByteMs}>
            <b>{usage.answering}</b>
            <span>{usage.firstByteAfter(formats.span(call.firstByteMs))}</span>
          </Step>
        )}
        <Step call={call} fromMs={call.durationMs} lastsMs={0}>
          <b>{usage.ended}</b>
          <span>{usage.endedAfter(formats.span(call.durationMs))}</span>
        </Step>
      </ol>
    </Panel>
  );
}

function AttemptEnd(
  { view: { catalog: { usage }, formats }, attempt }: { view: AccountView; attempt: Attempt },
) {
  const { startedAfterMs, durationMs, status, outcome, errorCode } = attempt;
  const ended = status ?? usage.noAnswer;
  return (
    <span>
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
  { upstreamId, upstreamModel }: Attempt,
  number: number,
  { catalog: { usage }, user }: AccountView,
): string {
  return user.role === "administrator"
    ? usage.attemptAt(number, `${upstreamId} / ${upstreamModel}`)
    : usage.attempt(number);
}

/** One phase, with a bar for its start and duration, which the text states too. */
function Step(
  { call, fromMs, lastsMs, children }: {
    call: RequestLogRow;
    fromMs: number;
    lastsMs: number;
    children: ComponentChildren;
  },
) {
  const whole = Math.max(call.durationMs, 1);
  const share = (ms: number) => Math.min(100, Math.max(0, 100 * ms / whole));
  const width = Math.max(0.6, Math.min(share(lastsMs), 100 - share(fromMs)));
  return (
    <li>
      <p>{children}</p>
      <svg class="bar" width="100%" height="6" aria-hidden="true">
        <rect class="track" width="100%" height="6" rx="3" />
        <rect
          class="part"
          x={`${Math.min(share(fromMs), 99.4)}%`}
          width={`${width}%`}
          height="6"
          rx="3"
        />
      </svg>
    </li>
  );
}
