import {
  type AttentionItem,
  type AttentionLine,
  attentionLine,
} from "../../lib/console/overview/attention.ts";
import { periodText, resetWords } from "../../lib/console/keys/budget_words.ts";
import type { NearLimit } from "../../lib/console/overview/near_limits.ts";
import { troubleLines, type Troubles } from "../../lib/console/overview/troubles.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { withWho } from "../../lib/console/page/who.ts";
import { A, Onward } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, toneIcon } from "../States.tsx";
import { limitColor, Meter } from "../chart/TinyCharts.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

const linesMax = 5;

/**
 * Warnings of low funds and of faults, each with a link to the remedy; nothing if there are none.
 */
export function AttentionPanel(props: AttentionProps) {
  const { view, items, troubles } = props;
  const { attention } = view.catalog;
  const lines = [...alertLines(props), ...troubles ? troubleLines(troubles, view) : []];
  if (lines.length === 0 && items && troubles) return null;
  return (
    <Panel
      id="attention"
      title={attention.title}
      end={<Onward href={withWho("/console/alerts", view.path)}>{attention.all}</Onward>}
    >
      <Lines {...props} lines={mostUrgentFirst(lines).slice(0, linesMax)} />
    </Panel>
  );
}

/** Every warning, on a page of their own. */
export function AllAlerts(props: AttentionProps) {
  const { view, items, troubles } = props;
  const { attention } = view.catalog;
  const all = troubles ? troubleLines(troubles, view, { all: true }) : [];
  const lines = [...alertLines(props), ...all];
  return (
    <Panel id="attention" title={attention.title}>
      {lines.length === 0 && items && troubles
        ? <Empty icon="circle-check" title={attention.none} text={attention.noneText} />
        : <Lines {...props} lines={mostUrgentFirst(lines)} />}
    </Panel>
  );
}

interface AttentionProps {
  readonly view: AccountView;
  /** Each absent if reading failed. */
  readonly items: readonly AttentionItem[] | undefined;
  readonly troubles: Troubles | undefined;
}

function alertLines({ view, items = [] }: AttentionProps): readonly AttentionLine[] {
  return items.map((item) => attentionLine(item, view));
}

function Lines(
  { view, items, troubles, lines }: AttentionProps & { readonly lines: readonly AttentionLine[] },
) {
  const { attention, lists } = view.catalog;
  return (
    <>
      {(items === undefined || troubles === undefined) && (
        <p class="body soft">
          {attention.failed} <A href={view.path}>{lists.retry}</A>
        </p>
      )}
      {lines.length > 0 && (
        <ul class="attention">
          {lines.map((line) => (
            <Line key={`${line.before}${line.name}${line.after}`} view={view} line={line} />
          ))}
        </ul>
      )}
    </>
  );
}

function mostUrgentFirst(lines: readonly AttentionLine[]): readonly AttentionLine[] {
  const rank = ({ tone }: AttentionLine) => tone === "bad" ? 0 : 1;
  return lines.toSorted((a, b) => rank(a) - rank(b));
}

function Line(
  { view, line: { tone, before, name, after, href, fix, amounts, resetsAtMs, delivery } }: {
    view: AccountView;
    line: AttentionLine;
  },
) {
  return (
    <li class={tone}>
      <Icon name={toneIcon(tone)} />
      <p>
        {before}
        <b {...untranslated}>{name}</b>
        {after} {href && view.opens(href) && <A href={href}>{fix}</A>}
      </p>
      {amounts && (
        <p>
          {amounts}
          {resetsAtMs !== undefined && <Resets view={view} atMs={resetsAtMs} />}
        </p>
      )}
      {delivery && <p>{delivery}</p>}
    </li>
  );
}

/** The translation is one sentence, so the time element replaces a placeholder in it. */
function Resets(
  { view: { catalog: { attention }, formats }, atMs }: { view: AccountView; atMs: number },
) {
  const [before, after] = attention.resets("\0").split("\0");
  return (
    <>
      {" · "}
      {before}
      <Time atMs={atMs} formats={formats} as="day" />
      {after}
    </>
  );
}

/** The budgets that are used most, each a link to where it is changed. Nothing if there are none. */
export function NearLimitPanel(
  { view, limits }: { view: AccountView; limits: readonly NearLimit[] },
) {
  if (limits.length === 0) return null;
  return (
    <Panel id="near-limits" title={view.catalog.spend.nearLimit}>
      <ul class="near-limits">
        {limits.map((limit) => (
          <Near key={`${limit.href} ${limit.use.budget.period}`} view={view} limit={limit} />
        ))}
      </ul>
    </Panel>
  );
}

function Near({ view, limit: { owner, name, keyOwner, href, use } }: {
  view: AccountView;
  limit: NearLimit;
}) {
  const { catalog, formats, user } = view;
  const { spend, keyList } = catalog;
  const { budget: { period, nanoUsd }, spentNanoUsd, share } = use;
  const resets = period === "total" ? undefined : resetWords(use, view);
  const shown = owner === "organization" ? spend.owners.organization : shortEmail(name, user);
  const whose = keyOwner === undefined
    ? spend.owners[owner]
    : spend.keyOf(shortEmail(keyOwner, user));
  const used = keyList.of(formats.money(spentNanoUsd), formats.price(nanoUsd));
  return (
    <li>
      <p>
        <A href={href} title={shown} {...untranslated}>{shown}</A>
        {owner !== "organization" && <span class="hint" title={whose}>{whose}</span>}
        <b>{`${Math.floor(share * 100)}%`}</b>
      </p>
      <Meter share={share} color={limitColor(share)} />
      <p class="hint">
        {periodText(spend.usedOf, period, catalog)(used)}
        {resets !== undefined && `, ${resets}`}
      </p>
    </li>
  );
}
