import type { ComponentChildren } from "preact";
import { logHref } from "../../lib/console/charts/steps.ts";
import type { BudgetUse } from "../../lib/console/keys/budget_use.ts";
import type { SteppedUsage } from "../../lib/console/keys/subject_usage.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Dollars, Figure } from "../values.tsx";

interface SubjectFiguresProps {
  readonly view: AccountView;
  /** Undefined if it could not be read. */
  readonly usage: SteppedUsage | undefined;
  readonly budgets: readonly BudgetUse[] | undefined;
  /** The filters of the log for the calls; absent if the reader may not see them. */
  readonly log?: Readonly<Record<string, string>>;
  /** Further figures. */
  readonly children: ComponentChildren;
}

/** The spend, limit and calls of a key, a user, a group or a project in a period. */
export function SubjectFigures({ view, usage, budgets, log, children }: SubjectFiguresProps) {
  const { catalog: { spend, usage: texts }, formats } = view;
  if (usage === undefined) return <p class="soft across">{spend.failed}</p>;
  const { total: { costNanoUsd, requests }, period } = usage;
  return (
    <section class="strip across" aria-label={spend.summary}>
      <Figure
        name={spend.spent(spend.periods[period])}
        value={<Dollars nanoUsd={costNanoUsd} formats={formats} />}
      >
        <Today view={view} usage={usage} />
      </Figure>
      <LimitFigure view={view} budgets={budgets} />
      <Figure name={texts.calls} value={formats.count(requests)}>
        <Outcome view={view} usage={usage} log={log} />
      </Figure>
      {children}
    </section>
  );
}

/** The spend of the current day, which hours do not show. */
function Today(
  { view: { catalog: { keyPage }, formats }, usage: { span, calls } }: {
    view: AccountView;
    usage: SteppedUsage;
  },
) {
  const today = calls.at(-1)?.costNanoUsd ?? 0n;
  return span.step === "day" ? <>{keyPage.today(formats.money(today))}</> : null;
}

function Outcome(
  { view: { catalog: { spend, usage: texts }, formats }, usage: { total, span }, log }:
    & { usage: SteppedUsage }
    & Pick<SubjectFiguresProps, "view" | "log">,
) {
  const { requests, failures } = total;
  if (failures === 0) return <>{texts.noFailures}</>;
  const href = log && logHref({ ...log, status: "failed" })(span.fromMs, span.toMs);
  const failed = texts.failures(formats.count(failures));
  return (
    <>
      {`${spend.good(formats.percent((requests - failures) / requests))}, `}
      {href ? <A href={href}>{failed}</A> : failed}
    </>
  );
}

/** The used share of the fullest budget. */
function LimitFigure(
  { view: { catalog: { keyPage, keyList }, formats }, budgets = [] }: {
    view: AccountView;
    budgets: readonly BudgetUse[] | undefined;
  },
) {
  const [fullest] = budgets.toSorted((a, b) => b.share - a.share);
  if (fullest === undefined) return <Figure name={keyPage.limit} value={keyList.noLimit} />;
  const { budget: { nanoUsd, period }, spentNanoUsd, share } = fullest;
  const left = nanoUsd > spentNanoUsd ? nanoUsd - spentNanoUsd : 0n;
  return (
    <Figure
      name={keyPage.limitOf[period]}
      value={keyPage.usedShare(`${Math.floor(share * 100)}%`)}
    >
      {keyPage.left(formats.money(left))}
    </Figure>
  );
}
