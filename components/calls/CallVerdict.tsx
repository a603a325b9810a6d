import { callTone } from "../../lib/console/calls/call_tone.ts";
import type { CallFix } from "../../lib/console/calls/call_fix.ts";
import {
  chainOf,
  hasFailedOver,
  namesNumber,
  saidOf,
  verdictLanguage,
} from "../../lib/console/calls/call_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { sentenceParts, type Verdict, verdictOf } from "../../lib/verdict/mod.ts";
import { Icon } from "../Icon.tsx";
import { toneIcon } from "../States.tsx";
import { untranslated } from "../untranslated.ts";
import { FixCall } from "./FixCall.tsx";
import { RefusedBy } from "./RefusedBy.tsx";
import { VerdictMarks } from "./VerdictMarks.tsx";

interface CallVerdictProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
  /** The operator's contact; empty if the settings name none. */
  readonly contact: string;
  /** The step that ends the failure. */
  readonly fix: CallFix | undefined;
  /** The address of the call's page, to send to somebody. */
  readonly link: string;
}

/** The outcome of a call in one sentence; for a failure, what it cost and what ends it. */
export function CallVerdict(props: CallVerdictProps) {
  const { view, call } = props;
  const tone = callTone(call);
  const verdict = verdictOf(call);
  const parts = verdict && sentenceParts(verdict, verdictLanguage(view));
  return (
    <section class={`panel verdict ${tone}`} aria-labelledby="verdict">
      <Icon name={toneIcon(tone)} />
      <div>
        <h2 id="verdict">
          {parts && !namesNumber(parts.what, call.status) && (
            <span {...untranslated}>{`${call.status} `}</span>
          )}
          {parts?.what ?? successText(view, call)}
        </h2>
        {verdict && parts && <Failure {...props} verdict={verdict} advice={parts.advice} />}
      </div>
    </section>
  );
}

/** A call that was answered, and the upstreams that failed before. Members see no names. */
function successText({ catalog: { call: texts }, user }: AccountView, call: RequestLogRow): string {
  if (!hasFailedOver(call)) return texts.sentence[call.outcome];
  const [by, after] = user.role === "administrator" ? [call.upstreamId, chainOf(call)[0]] : [];
  return texts.failedOver((call.costNanoUsd ?? 0n) > 0n, by, after);
}

function Failure(
  props: CallVerdictProps & { readonly verdict: Verdict; readonly advice: string },
) {
  const { view, call, verdict } = props;
  return (
    <>
      <VerdictMarks {...props} />
      <Said view={view} verdict={verdict} status={call.status} />
      <RefusedBy view={view} call={call} />
      <FixCall {...props} />
    </>
  );
}

/** The original message, complete. */
function Said(
  { view, verdict, status }: { view: AccountView; verdict: Verdict; status: number },
) {
  const { call: texts, callFailure: failure } = view.catalog;
  const said = saidOf(verdict, view);
  if (said === undefined) return null;
  const answered = String(verdict.status ?? status);
  return (
    <blockquote class="said">
      <p {...untranslated}>{said.message}</p>
      <footer>
        {said.by === undefined ? texts.reason : failure.said(said.by, answered)}{" "}
        <code {...untranslated}>{verdict.type ?? verdict.code}</code>
      </footer>
    </blockquote>
  );
}
