import { tokensIn, tokensOut } from "../../lib/console/calls/usage_summary.ts";
import { type KeyPageData, keyUsageDays } from "../../lib/console/keys/key_page.ts";
import { type KeyStatus, shownSecret } from "../../lib/console/keys/key_status.ts";
import {
  type AccountView,
  type ApiKey,
  type FormerSecretUse,
  percentile,
} from "../../lib/console/page/view.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Dollars } from "../Dollars.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Time } from "../Time.tsx";
import { Figure } from "../calls/UsageStrip.tsx";
import { untranslated } from "../untranslated.ts";
import { FormerSecret, keyTones } from "./KeyTable.tsx";

/** The usage of a key in the last days. */
export function KeyFigures({ view, data }: { view: AccountView; data: KeyPageData }) {
  const { catalog: { keyPage, spend, usage: texts, log }, formats } = view;
  const { usage } = data;
  if (usage === undefined) return <p class="soft across">{spend.failed}</p>;
  const { counts, times } = usage;
  const median = percentile(times.duration, 0.5);
  return (
    <section class="strip" aria-label={keyPage.usage(keyUsageDays)}>
      <Figure
        name={spend.spent(spend.days(keyUsageDays))}
        value={<Dollars nanoUsd={counts.costNanoUsd} formats={formats} />}
      />
      <Figure name={texts.calls} value={formats.count(counts.requests)}>
        {counts.failures > 0 ? texts.failures(formats.count(counts.failures)) : texts.noFailures}
      </Figure>
      <Figure name={texts.tokens} value={formats.count(tokensIn(counts) + tokensOut(counts))}>
        {texts.inAndOut(formats.count(tokensIn(counts)), formats.count(tokensOut(counts)))}
      </Figure>
      <Figure name={texts.median} value={median === undefined ? log.none : formats.span(median)} />
    </section>
  );
}

/** The facts of a key. Its secret is not among them, because only a digest is stored. */
export function KeyFacts(
  { view, apiKey, status, former }: {
    view: AccountView;
    apiKey: ApiKey;
    status: KeyStatus;
    former: FormerSecretUse | undefined;
  },
) {
  const { catalog, formats, nowMs, user } = view;
  const { audit, keyPage, keyList, keys, keyStatus, keyForm } = catalog;
  const { models, ipAllowList, limits = {}, previous, lastUsedAtMs, expiresAtMs } = apiKey;
  const limit = (value: number | undefined) => value !== undefined && formats.count(value);
  return (
    <Panel id="facts" title={keyPage.facts}>
      <Facts class="body">
        <Fact name={keys.status}>
          <Status tone={keyTones[status]}>{keyStatus[status]}</Status>
        </Fact>
        <Fact name={keyPage.secret}>
          <code {...untranslated}>{shownSecret(apiKey)}</code>
        </Fact>
        <Fact name={keyPage.oldSecret}>
          {previous && previous.expiresAtMs > nowMs && (
            <>
              <code {...untranslated}>{shownSecret(previous)}</code>
              <FormerSecret view={view} apiKey={apiKey} former={former} />
            </>
          )}
        </Fact>
        <Fact name={keys.group}>{apiKey.groupId}</Fact>
        <Fact name={audit.fields.project}>{user.projectId}</Fact>
        <Fact name={keys.created}>
          <Time atMs={apiKey.createdAtMs} formats={formats} as="moment" />
        </Fact>
        <Fact name={keys.lastUsed}>
          {lastUsedAtMs === undefined
            ? keys.neverUsed
            : <Time atMs={lastUsedAtMs} formats={formats} />}
        </Fact>
        <Fact name={keys.expires}>
          {expiresAtMs === undefined
            ? keys.neverExpires
            : <Time atMs={expiresAtMs} formats={formats} as="moment" />}
        </Fact>
        <Fact name={keyForm.models}>{models ? models.join(", ") : keyPage.allModels}</Fact>
        <Fact name={keyForm.addresses}>
          {ipAllowList ? ipAllowList.join(", ") : keyPage.anywhere}
        </Fact>
        <Fact name={keyForm.requestsPerMinute}>{limit(limits.requestsPerMinute)}</Fact>
        <Fact name={keyForm.tokensPerMinute}>{limit(limits.tokensPerMinute)}</Fact>
        <Fact name={keyForm.concurrency}>{limit(limits.concurrency)}</Fact>
        <Fact name={keyList.alertsAt}>
          {apiKey.alertPercents && keyList.percents(apiKey.alertPercents.join(", "))}
        </Fact>
      </Facts>
    </Panel>
  );
}

/** Each budget with its usage and the time of its next reset. */
export function KeyBudgets({ view, data }: { view: AccountView; data: KeyPageData }) {
  const { catalog: { keyPage, keyForm, keyList, attention }, formats } = view;
  const budgets = data.budgets ?? [];
  return (
    <Panel id="budgets" title={keyPage.budgets}>
      {data.budgets && budgets.length === 0 && <p class="body soft">{keyPage.noBudgets}</p>}
      {data.overBalance && <p class="body soft">{keyList.overBalance}</p>}
      {!data.budgets && <p class="body soft">{keyPage.budgetsFailed}</p>}
      <ul class="body meters">
        {budgets.map(({ budget, timeZone, spentNanoUsd, endsAtMs }) => (
          <li>
            <h3>{keyForm[budget.period]}</h3>
            <p>
              {attention.amounts(formats.money(spentNanoUsd), formats.money(budget.nanoUsd))}
            </p>
            <Meter spent={spentNanoUsd} limit={budget.nanoUsd} />
            {endsAtMs !== undefined && (
              <p class="hint">{keyPage.resets(formats.moment(endsAtMs), timeZone)}</p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Meter({ spent, limit }: { spent: bigint; limit: bigint }) {
  const share = limit > 0n ? Math.min(100, Number(spent * 100n / limit)) : 100;
  return (
    <svg class={share >= 80 ? "bar near" : "bar"} width="100%" height="6" aria-hidden="true">
      <rect class="track" width="100%" height="6" rx="3" />
      <rect class="part" width={`${share}%`} height="6" rx="3" />
    </svg>
  );
}
