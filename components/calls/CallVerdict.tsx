import { refuserPath, rollingIn } from "../../lib/canonical/mod.ts";
import { type CallFix, fallbackPath } from "../../lib/console/calls/call_fix.ts";
import type { FailuresOfHour } from "../../lib/console/calls/call_page.ts";
import {
  callTone,
  chainOf,
  hasFailedOver,
  limitAmount,
  limitWords,
  namesNumber,
  saidOf,
  showsAmounts,
  verdictLanguage,
} from "../../lib/console/calls/call_words.ts";
import { logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { Flash } from "../../lib/console/page/flash.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { sentenceParts, type Verdict, verdictOf } from "../../lib/verdict/mod.ts";
import { A, Onward } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Status, toneIcon } from "../States.tsx";
import { UndoNotice } from "../layout/notices.tsx";
import { untranslated } from "../untranslated.ts";
import { LogBars } from "./LogTotals.tsx";

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
function successText({ catalog: { call: texts }, may }: AccountView, call: RequestLogRow): string {
  if (call.replayOf) return texts.replayedText;
  if (!hasFailedOver(call)) return texts.sentence[call.outcome];
  const [by, after] = may("calls:read") ? [call.upstreamId, chainOf(call)[0]] : [];
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
      <Refuser view={view} call={call} verdict={verdict} />
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

interface RefusedByProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
}

/** The limit that refused a call, and its state at that time. */
function RefusedBy({ view, call }: RefusedByProps) {
  const { refusedBy } = call;
  if (refusedBy === undefined) return null;
  const { catalog, formats } = view;
  const { limits } = catalog.logPage;
  const name = limitWords(refusedBy, catalog);
  const left = limitAmount(refusedBy, refusedBy.remaining, view);
  const { limit, resetsAtMs } = refusedBy;
  return (
    <p class="soft">
      {!showsAmounts(refusedBy, view.user)
        ? limits.usedUp(name)
        : limit === undefined
        ? limits.left(name, left)
        : limits.leftOf(name, limitAmount(refusedBy, limit, view), left)}
      {resetsAtMs !== undefined &&
        ` ${limits[rollingIn(refusedBy) ? "hasRoom" : "resets"](formats.moment(resetsAtMs))}`}
    </p>
  );
}

/** The owner that refused the call, with a link for readers who may open the page. */
function Refuser({ view, call, verdict: { refuser } }: RefusedByProps & { verdict: Verdict }) {
  if (refuser === undefined) return null;
  const { bounds } = view.catalog;
  const name = bounds.owner[refuser.owner](refuser.id);
  const href = refuserPath(refuser, call.keyId);
  const mayOpen = view.opens(href);
  return (
    <p class="soft">
      {bounds.refusedBy} {mayOpen ? <A class="link" href={href}>{name}</A> : name}
    </p>
  );
}

interface VerdictMarksProps {
  readonly view: AccountView;
  readonly verdict: Verdict;
  readonly fix: CallFix | undefined;
}

/** Three marks of a failed call: its charge, the safety of a retry, and the person who can fix it. */
function VerdictMarks({ view, verdict, fix }: VerdictMarksProps) {
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
  { view, view: { catalog: { callFailure: failure } }, verdict, fix }: VerdictMarksProps,
) {
  if (fix) return mayFix(view, fix) ? failure.you : failure.administrator;
  return verdict.retryable ? failure.upstream : failure.request;
}

function mayFix({ opens }: AccountView, { isAdministrators, href }: CallFix): boolean {
  return !isAdministrators || opens(href, "POST");
}

interface FixCallProps extends CallVerdictProps {
  /** The advice, in a sentence. */
  readonly advice: string;
}

/** The one step that ends a failure, a retry, and why. */
function FixCall(props: FixCallProps) {
  const { view, view: { catalog: { callFailure: failure } }, call, fix, contact, advice } = props;
  const asks = fix && !mayFix(view, fix);
  const retry = `/console/playground?${new URLSearchParams({ model: call.model })}`;
  return (
    <div class="fix">
      {asks ? <Ask {...props} /> : fix && <Fix view={view} call={call} fix={fix} />}
      {call.operation === "generate" && (
        <A class="button" href={retry}>
          <Icon name="refresh-cw" />
          {failure.retry}
        </A>
      )}
      <p class="hint">
        {advice} {asks && (contact ? failure.askText(contact) : failure.askAnyone)}
      </p>
    </div>
  );
}

/** A link, or a form if one click makes the fix. Its result is on the page of the call. */
function Fix(
  { view, call, fix }: Pick<FixCallProps, "view" | "call"> & { readonly fix: CallFix },
) {
  const text = fixText(view, fix);
  if (fix.model === undefined) return <A class="button primary" href={fix.href}>{text}</A>;
  return (
    <form method="post" action={fix.href}>
      <input type="hidden" name="model" value={fix.model} />
      <input type="hidden" name="back" value={`/console/log/${call.id}`} />
      <button class="button primary" type="submit">{text}</button>
    </form>
  );
}

function fixText({ catalog: { callFailure: { fixes } } }: AccountView, fix: CallFix): string {
  const text = fixes[fix.name];
  return typeof text === "string" ? text : text(fix.upstream ?? "");
}

function Ask({ view: { catalog: { callFailure: failure, copy } }, link, contact }: FixCallProps) {
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(contact);
  return (
    <>
      {isAddress && (
        <A class="button primary" href={`mailto:${contact}?body=${encodeURIComponent(link)}`}>
          {failure.ask}
        </A>
      )}
      <CopyButton text={link} label={failure.ask} texts={copy} isPrimary={!isAddress} isLoaded />
    </>
  );
}

/** The result of a fix that a click made, with its undo. */
export function FallbackNotice({ view, flash }: { view: AccountView; flash: Flash | undefined }) {
  const { fallbackAdded, fallbackRemoved } = view.catalog.callFailure;
  if (flash?.type === "fallback-removed") {
    return <UndoNotice view={view} text={fallbackRemoved(flash.upstream, flash.model)} />;
  }
  if (flash?.type !== "fallback-added") return null;
  const { upstream, model } = flash;
  const fields = [["model", model], ["undo", "true"], ["back", view.path]] as const;
  return (
    <UndoNotice
      view={view}
      text={fallbackAdded(upstream, model)}
      undo={{ path: fallbackPath(upstream), fields }}
    />
  );
}

/** The number of equal failures within the hour around a call. */
export function SameFailure(
  { view, call, same }: { view: AccountView; call: RequestLogRow; same: FailuresOfHour },
) {
  const { catalog: { callFailure: failure, logPage }, formats, may } = view;
  const { fromMs, toMs, count, more, keys, firstMs, bars } = same;
  const calls = logPage.calls(`${formats.count(count)}${more ? "+" : ""}`);
  const search = {
    filter: { model: call.model, status: "failed", fromMs, toMs },
    ...(may("calls:read") && { who: "everyone" } as const),
  };
  return (
    <Panel
      id="same-failure"
      title={failure.same}
      end={<Onward href={logSearchPath(search)}>{failure.show}</Onward>}
    >
      <LogBars view={view} search={search} bars={bars} marks={2} />
      <p class="hint body">{failure.sameText(calls, keys, formats.hour(firstMs))}</p>
    </Panel>
  );
}
