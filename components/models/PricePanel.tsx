import type { ModelRow } from "../../lib/admin/models/model_rows.ts";
import { modelPath } from "../../lib/console/models/model_list.ts";
import type { ModelPageData, PricedModel } from "../../lib/console/models/model_page.ts";
import {
  type Estimate,
  type GroupPrice,
  type PastPrice,
  type PricedBucket,
  pricedBuckets,
} from "../../lib/console/models/model_prices.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Group } from "../../lib/store/catalog/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Fold, Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { SelectField, TextField } from "../controls.tsx";
import { Fact, Facts } from "../values.tsx";

interface PricePanelProps {
  readonly view: AccountView;
  readonly data: ModelPageData;
}

/** The price of a model in a group, its source, and its past and scheduled prices. */
export function PricePanel({ view, data }: PricePanelProps) {
  const { modelPage: texts, modelList, prices } = view.catalog;
  const { group, priced, times, managed } = data;
  return (
    <Panel
      id="price"
      title={prices.price}
      end={
        <span class="faint">
          {group ? texts.priceIn(group.id) : view.catalog.modelList.perMillion}
        </span>
      }
    >
      {priced ? <GroupPrices view={view} price={priced.price} /> : (
        <div class="body">
          <Status tone="warn">{texts.unpriced}</Status>
          <p class="soft">{texts.unpricedText}</p>
        </div>
      )}
      <Groups view={view} data={data} />
      {managed && priced && (
        <p class="hint below">
          {modelList.source}: {modelList.sources[managed.row.source]}
          {managed.row.as && `, ${view.catalog.priceAdmin.asName(managed.row.as)}`}
        </p>
      )}
      {times.length > 1 && <History view={view} data={data} />}
    </Panel>
  );
}

function Groups(
  { view: { catalog: { modelPage: texts } }, data: { row, group } }: PricePanelProps,
) {
  if (row.groups.length < 2) return null;
  return (
    <nav class="price-groups" aria-label={texts.groups}>
      {row.groups.map((id) => (
        <A key={id} href={`${modelPath(row.id, { group: id })}#price`} current={id === group?.id}>
          {id}
        </A>
      ))}
    </nav>
  );
}

/** Prices by date, newest first. Administrators may remove a scheduled one. */
function History({ view, data: { row, times, managed } }: PricePanelProps) {
  const { modelList: texts } = view.catalog;
  const removable = new Set(
    managed?.row.source === "declared" ? [] : managed?.schedule.map(({ from }) => from),
  );
  return (
    <>
      <h3 class="in-panel">{texts.history}</h3>
      <ol class="price-history" aria-label={texts.history}>
        {times.map((price, at) => (
          <li key={price.fromMs} class={price.state}>
            <b>
              {texts.inAndOut(
                view.formats.usd(price.price.input),
                view.formats.usd(price.price.output),
              )}
            </b>
            <span>{periodText(view, price, times[at - 1]?.fromMs)}</span>
            {price.state === "coming" && removable.has(price.from) && (
              <Remove view={view} id={row.id} price={price} />
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

function periodText(
  { catalog: { modelList: texts }, formats }: AccountView,
  { fromMs, state }: PastPrice,
  untilMs: number | undefined,
): string {
  const from = formats.moment(fromMs);
  if (state === "coming") return texts.from(from);
  if (untilMs === undefined || state === "current") {
    return fromMs === 0 ? texts.current : texts.since(from);
  }
  const until = formats.moment(untilMs);
  return fromMs === 0 ? texts.until(until) : texts.between(from, until);
}

function Remove(
  { view: { catalog: { priceAdmin: texts }, formats }, id, price }: {
    view: AccountView;
    id: string;
    price: PastPrice;
  },
) {
  return (
    <Form action={modelPath(id)}>
      <input type="hidden" name="begins" value={price.from} />
      <button
        class="button small"
        type="submit"
        name="intent"
        value="unschedule"
        aria-label={texts.unscheduleOf(formats.moment(price.fromMs))}
      >
        {texts.unschedule}
      </button>
    </Form>
  );
}

/** The prices of a model in a group by bucket, and by prompt length if the price has tiers. */
function GroupPrices({ view, price }: { view: AccountView; price: GroupPrice }) {
  const { catalog: { prices, call }, formats } = view;
  const { tiers, requestNanoUsd, hostedTools } = price;
  const [nameClass, rateClass] = tiers.length === 1
    ? ["name at-name", "number at-first"]
    : ["name", "number"];
  return (
    <>
      <Table
        oneLine
        caption={prices.perMillion}
        label={prices.label}
        head={
          <>
            <Column>{prices.perMillion}</Column>
            {tiers.map(({ aboveInputTokens }) => (
              <Column key={aboveInputTokens ?? 0} number>
                {boundText(view, aboveInputTokens)}
              </Column>
            ))}
          </>
        }
      >
        {pricedBuckets.filter((bucket) => worthSaying(price, bucket)).map((bucket) => (
          <Row key={bucket}>
            <NameCell class={nameClass}>{call.bucket[bucket]}</NameCell>
            {tiers.map(({ aboveInputTokens, rates }) => (
              <Cell
                key={aboveInputTokens ?? 0}
                label={boundText(view, aboveInputTokens)}
                class={rateClass}
              >
                {formats.exactMoney(rates[bucket])}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      {(requestNanoUsd > 0n || hostedTools.length > 0) && (
        <Facts class="body numbers">
          {requestNanoUsd > 0n && (
            <Fact name={prices.perCall}>{formats.exactMoney(requestNanoUsd)}</Fact>
          )}
          {hostedTools.map(({ kind, nanoUsd }) => (
            <Fact key={kind} name={prices.perThousand(kind)}>{formats.exactMoney(nanoUsd)}</Fact>
          ))}
        </Facts>
      )}
    </>
  );
}

function boundText({ catalog: { prices }, formats }: AccountView, bound: number | undefined) {
  return bound === undefined ? prices.price : prices.above(formats.count(bound));
}

const sameAs = {
  cacheReadTokens: "inputTokens",
  cacheWrite5mTokens: "inputTokens",
  cacheWrite1hTokens: "cacheWrite5mTokens",
  cacheWrite12hTokens: "cacheWrite1hTokens",
  reasoningTokens: "outputTokens",
} as const satisfies Partial<Record<PricedBucket, PricedBucket>>;

/** Leaves out a bucket that costs the same as the bucket it falls back to. */
function worthSaying({ tiers }: GroupPrice, bucket: PricedBucket): boolean {
  if (bucket === "inputTokens" || bucket === "outputTokens") return true;
  return tiers.some(({ rates }) => rates[bucket] !== rates[sameAs[bucket]]);
}

const fields = [
  "input",
  "cached",
  "output",
  "calls",
] as const satisfies readonly (keyof Estimate)[];

/** The cost of calls of a given size. The sizes are part of the address. */
export function Calculator(
  { view, row: { id: model, groups }, group, priced: { estimate, callNanoUsd } }: {
    view: AccountView;
    row: ModelRow;
    group: Group;
    priced: PricedModel;
  },
) {
  const total = callNanoUsd * BigInt(estimate.calls);
  const isOpen = new URL(view.path, "http://console").searchParams.has("calls");
  const { catalog: { prices, keyForm, modelPage }, formats } = view;
  return (
    <Fold
      id="calculator"
      title={modelPage.calculator}
      value={`${prices.allCalls(formats.count(estimate.calls))} ${formats.money(total)}`}
      open={isOpen}
    >
      <form class="body fields" action="/console/pricing/model#calculator">
        <input type="hidden" name="name" value={model} />
        {groups.length > 1 && (
          <SelectField
            name="group"
            label={keyForm.group}
            value={group.id}
            options={groups.map((id) => [id, id])}
          />
        )}
        <div class="pair">
          {fields.map((name) => (
            <TextField
              key={name}
              name={name}
              label={prices.fields[name]}
              value={String(estimate[name])}
              inputMode="numeric"
            />
          ))}
        </div>
        <button class="button" type="submit">{prices.calculate}</button>
        <Facts class="numbers">
          <Fact name={prices.oneCall}>{formats.exactMoney(callNanoUsd)}</Fact>
          <Fact name={prices.allCalls(formats.count(estimate.calls))}>
            <strong>{formats.money(total)}</strong>
          </Fact>
        </Facts>
      </form>
    </Fold>
  );
}
