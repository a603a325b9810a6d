import type { CallFix } from "../../lib/console/calls/call_fix.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Verdict } from "../../lib/verdict/mod.ts";
import { Icon } from "../Icon.tsx";
import { Status } from "../States.tsx";

interface VerdictMarksProps {
  readonly view: AccountView;
  readonly verdict: Verdict;
  readonly fix: CallFix | undefined;
}

/** Three marks of a failed call: its charge, the safety of a retry, and the person who can fix it. */
export function VerdictMarks({ view, verdict, fix }: VerdictMarksProps) {
  const { catalog: { callFailure: failure }, formats } = view;
  const { chargedNanoUsd = 0n, retryable, answered } = verdict;
  const isFree = chargedNanoUsd === 0n;
  const retry = !retryable ? failure.useless : answered ? failure.again : failure.safe;
  return (
    <ul class="marks-of">
      <li>
        <Status tone={isFree ? "ok" : "warn"}>
          {isFree ? failure.notCharged : failure.charged(formats.money(chargedNanoUsd))}
        </Status>
      </li>
      <li>
        <Status tone={retryable && !answered ? "ok" : "warn"}>{retry}</Status>
      </li>
      <li>
        <span class="status info">
          <Icon name="wrench" small />
          {fixerText({ view, verdict, fix })}
        </span>
      </li>
    </ul>
  );
}

function fixerText(
  { view: { catalog: { callFailure: failure }, user }, verdict, fix }: VerdictMarksProps,
) {
  if (fix) {
    const mine = !fix.isAdministrators || user.role === "administrator";
    return mine ? failure.you : failure.administrator;
  }
  return verdict.retryable ? failure.upstream : failure.request;
}
