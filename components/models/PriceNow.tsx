import { rateNames } from "../../lib/admin/models/price_form.ts";
import type { PriceRow } from "../../lib/admin/models/model_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { AuditChange, AuditEntry } from "../../lib/store/audit/mod.ts";
import type { ModelPrice } from "../../lib/store/catalog/mod.ts";
import { Fold } from "../Panel.tsx";
import { Cell, Column, ListTable, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

interface PriceNowProps {
  readonly view: AccountView;
  readonly row: PriceRow;
  /** The catalog's price, and the date it was verified. */
  readonly listed?: { readonly price: ModelPrice; readonly asOf: string };
}

/** The current price and its source, beside the vendor's list price. */
export function PriceNow({ view, row, listed }: PriceNowProps) {
  const { modelList, modelPage, priceAdmin: texts } = view.catalog;
  const lines = linesOf(view, row.price, listed?.price);
  return (
    <Fold
      id="compare"
      title={modelPage.compare}
      value={row.listed && modelList.part.outdated}
    >
      {lines.length > 0 && (
        <Table
          oneLine
          caption={texts.now}
          label={texts.now}
          head={
            <>
              <Column>{texts.field}</Column>
              <Column number>{texts.own}</Column>
              {listed && <Column number>{texts.listed}</Column>}
              {listed && <Column number>{texts.against}</Column>}
            </>
          }
        >
          {lines.map((line) => <Line key={line.name} view={view} line={line} isKnown={!!listed} />)}
        </Table>
      )}
      <p class="hint below">
        {row.source === "declared" && `${texts.declaredText} `}
        {listed ? texts.asOf(listed.asOf) : texts.noCatalog}
      </p>
    </Fold>
  );
}

interface PriceLine {
  readonly name: string;
  readonly own?: number;
  readonly listed?: number;
  /** A factor on other rates instead of an amount. */
  readonly isFactor?: boolean;
}

/** Every amount that either price states. */
function linesOf(
  { catalog: { priceAdmin: texts }, formats }: AccountView,
  own: ModelPrice | undefined,
  listed: ModelPrice | undefined,
): PriceLine[] {
  const rates = rateNames.map((name) => line(texts.rates[name], own?.[name], listed?.[name]));
  const tools = Object.entries(texts.tools).map(([kind, name]) =>
    line(name, own?.hostedTools?.[kind], listed?.hostedTools?.[kind])
  );
  const bounds = [own, listed].flatMap((price) => price?.tiers ?? [])
    .map(({ aboveInputTokens }) => aboveInputTokens);
  const tiers = [...new Set(bounds)].toSorted((a, b) => a - b).flatMap((bound) =>
    rateNames.map((name) => {
      const [here, there] = [own, listed].map((price) =>
        price?.tiers?.find((tier) => tier.aboveInputTokens === bound)?.[name]
      );
      return line(`${texts.rates[name]} > ${formats.count(bound)}`, here, there);
    })
  );
  const request = line(texts.request, own?.request, listed?.request);
  return [...rates, request, ...tools, ...tiers, ...serviceLines(texts, own, listed)]
    .filter((one) => one.own !== undefined || one.listed !== undefined);
}

/** The factors and rates of service tiers and regions, and the factor of off-peak hours. */
function serviceLines(
  texts: AccountView["catalog"]["priceAdmin"],
  own: ModelPrice | undefined,
  listed: ModelPrice | undefined,
): PriceLine[] {
  const namesOf = (key: "serviceTiers" | "regions") => [
    ...new Set([own, listed].flatMap((price) => Object.keys(price?.[key] ?? {}))),
  ];
  const tiers = namesOf("serviceTiers").flatMap((tier) => {
    const [here, there] = [own, listed].map((price) => price?.serviceTiers?.[tier]);
    return [
      line(texts.factorOf(tier), here?.factor, there?.factor, true),
      ...rateNames.map((name) =>
        line(`${texts.rates[name]}, ${tier}`, here?.[name], there?.[name])
      ),
    ];
  });
  const regions = namesOf("regions").map((name) =>
    line(texts.factorOf(name), own?.regions?.[name], listed?.regions?.[name], true)
  );
  const offPeak = line(texts.offPeak, own?.offPeak?.factor, listed?.offPeak?.factor, true);
  return [...tiers, ...regions, offPeak];
}

function line(
  name: string,
  own: number | undefined,
  listed: number | undefined,
  isFactor = false,
): PriceLine {
  return {
    name,
    ...(own !== undefined && { own }),
    ...(listed !== undefined && { listed }),
    ...(isFactor && { isFactor }),
  };
}

function Line(
  { view, line, isKnown }: {
    view: AccountView;
    line: PriceLine;
    /** Set if the catalog has a price for the model. */
    isKnown: boolean;
  },
) {
  const { catalog: { priceAdmin: texts, modelPage: { none } }, formats } = view;
  const { name, own, listed, isFactor } = line;
  const text = (amount: number | undefined) => {
    if (amount === undefined) return none;
    return isFactor ? `× ${amount}` : formats.usd(amount);
  };
  return (
    <Row>
      <NameCell>
        <span>{name}</span>
      </NameCell>
      <Cell label={texts.own} class="number">{text(own)}</Cell>
      {isKnown && <Cell label={texts.listed} class="number">{text(listed)}</Cell>}
      {isKnown && (
        <Cell label={texts.against} class="number">
          {own !== undefined && listed ? difference(own / listed - 1, view) : none}
        </Cell>
      )}
    </Row>
  );
}

function difference(share: number, { locale }: AccountView): string {
  return new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  }).format(share).replace("-", "−");
}

/** The audit log of a model's price. */
export function PriceHistory(
  { view, entries }: { view: AccountView; entries: readonly AuditEntry[] },
) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  return (
    <Fold id="changes" title={view.catalog.modelPage.changes} value={String(entries.length)}>
      <ListTable
        caption={texts.history}
        label={texts.historyLabel}
        rows={entries}
        keyOf={({ id }) => id}
        columns={[
          {
            head: texts.when,
            type: "name",
            cell: ({ atMs }) => (
              <span>
                <Time atMs={atMs} formats={formats} as="moment" />
              </span>
            ),
          },
          {
            head: texts.who,
            class: "quiet",
            cell: ({ actorName }) => <span {...untranslated}>{actorName}</span>,
          },
          {
            head: texts.what,
            class: "wrap",
            cell: ({ changes }) => (
              <ul class="changes">
                {changes.map((change) => <li key={change.field}>{changeText(change, view)}</li>)}
              </ul>
            ),
          },
        ]}
      />
    </Fold>
  );
}

export function changeText(
  { field, before, after }: AuditChange,
  { catalog: { audit, priceAdmin: { nothing } }, formats }: AccountView,
): string {
  const names: Readonly<Partial<Record<string, string>>> = audit.fields;
  return formats.pair(names[field] ?? field, `${before ?? nothing} → ${after ?? nothing}`);
}
