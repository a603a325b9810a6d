import { CopyButton } from "../CopyButton.tsx";
import { type ModelMeasure, modelSpendDays } from "../../lib/console/models/model_measures.ts";
import { type ModelRow, priceIn } from "../../lib/console/models/model_rows.ts";
import { formatNames, type Group } from "../../lib/console/page/view.ts";
import type { ModelPanelProps } from "./ModelPanel.tsx";
import { modelPricePath } from "./PriceTable.tsx";
import { A } from "../A.tsx";
import { Status } from "../States.tsx";
import { Cell, NameCell, Row } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

type RowProps = ModelPanelProps & { readonly row: ModelRow };

export function ModelTableRow(props: RowProps & { readonly others: readonly Group[] }) {
  const { view: { catalog: { modelList: texts }, formats }, row, list, others } = props;
  const { contextWindow, maxOutputTokens, listPrice } = row;
  return (
    <Row>
      <Name {...props} />
      <Prices {...props} />
      {others.map((group) => (
        <Cell key={group.id} label={group.id} class="number quiet">
          {listPrice && row.groups.includes(group.id) ? inAndOut(props, group) : "–"}
        </Cell>
      ))}
      <Cell label={texts.context} class="number quiet parts">
        {contextWindow === undefined ? "–" : formats.count(contextWindow)}
        {maxOutputTokens !== undefined && (
          <span class="part">{texts.maxOutput(formats.short(maxOutputTokens))}</span>
        )}
      </Cell>
      <Does {...props} />
      {list.measures && <Measured {...props} measure={list.measures.get(row.id)} />}
    </Row>
  );
}

function Name({ view: { catalog }, row, linked = true }: RowProps) {
  const { id, displayName, vendor } = row;
  const second = [displayName !== id && displayName, vendor].filter((part) => part);
  return (
    <NameCell>
      <span>
        {linked
          ? (
            <A
              href={`/console/pricing/model?${new URLSearchParams({ name: id })}`}
              {...untranslated}
            >
              {id}
            </A>
          )
          : <span {...untranslated}>{id}</span>}
        <CopyButton text={id} label={catalog.models.copyName(id)} texts={catalog.copy} />
      </span>
      {second.length > 0 && <span class="faint">{second.join(" · ")}</span>}
    </NameCell>
  );
}

function Prices({ view: { catalog, formats }, row: { id, price }, setsPrices }: RowProps) {
  const { modelList: texts, priceAdmin, models } = catalog;
  const usd = (amount: number | undefined) => amount === undefined ? "–" : formats.usd(amount);
  return (
    <>
      <Cell label={texts.input} class="number">
        {price ? usd(price.input) : setsPrices
          ? (
            <A href={modelPricePath(id)}>
              <Status tone="warn">{priceAdmin.notSet}</Status>
            </A>
          )
          : models.unlisted}
      </Cell>
      <Cell label={texts.output} class="number">{usd(price?.output)}</Cell>
      <Cell label={texts.cached} class="number quiet">{usd(price?.cachedInput)}</Cell>
      <Cell label={texts.cacheWrite} class="number quiet">{usd(price?.cacheWrite)}</Cell>
    </>
  );
}

function inAndOut({ view: { formats }, row: { listPrice } }: RowProps, group: Group) {
  if (listPrice === undefined) return "–";
  const { input, output } = priceIn(group, listPrice);
  return `${formats.usd(input)} · ${formats.usd(output)}`;
}

function Does({ view, row: { capabilities, formats } }: RowProps) {
  const { modelList: texts, models, units } = view.catalog;
  const endpoints = formats.length === formatNames.length
    ? models.allFormats
    : view.formats.list(formats.map((format) => units.formats[format]));
  return (
    <Cell label={texts.does} class="wrap parts quiet">
      {capabilities.length > 0 && (
        <span>{view.formats.list(capabilities.map((one) => texts.capabilities[one]))}</span>
      )}
      <span class="part">{endpoints}</span>
    </Cell>
  );
}

function Measured(
  { view: { catalog: { modelList: texts }, formats, locale }, measure }: RowProps & {
    measure: ModelMeasure | undefined;
  },
) {
  const { firstByteMs, tokensPerSecond, successShare, spentNanoUsd } = measure ?? {};
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  return (
    <>
      <Cell label={texts.measured} class="parts quiet measured">
        <span>
          {successShare === undefined
            ? texts.notCalled
            : texts.success(percent.format(successShare))}
        </span>
        {firstByteMs !== undefined && (
          <span class="part">{texts.firstByte(formats.span(firstByteMs))}</span>
        )}
        {tokensPerSecond !== undefined && (
          <span class="part">{texts.speed(formats.count(Math.round(tokensPerSecond)))}</span>
        )}
      </Cell>
      <Cell label={texts.spent(modelSpendDays)} class="number">
        {spentNanoUsd ? formats.money(spentNanoUsd) : "–"}
      </Cell>
    </>
  );
}
