import type {
  MeasuredModel,
  modelList,
  ModelListPage,
  ModelQuery,
} from "../../lib/console/models/model_list.ts";
import { modelSpendDays } from "../../lib/console/models/model_measures.ts";
import { type ModelRow, priceIn } from "../../lib/console/models/model_rows.ts";
import { modelPricePath } from "../../lib/console/models/price_rows.ts";
import { type AccountView, formatNames, type Group } from "../../lib/console/page/view.ts";
import { CopyButton } from "../CopyButton.tsx";
import { A, type ColumnsOf, Status, untranslated } from "../list.ts";

export interface ModelPanelProps {
  readonly view: Pick<AccountView, "catalog" | "formats" | "locale">;
  readonly query: ModelQuery;
  readonly page: ModelListPage;
  /** True if each model links to its page. */
  readonly linked?: boolean;
  /** True if the reader may set the price of a model without one. */
  readonly setsPrices?: boolean;
}

type ModelColumn = ColumnsOf<typeof modelList>[number];

/** The columns of the list of models: prices, context, capabilities, and the reader's measures. */
export function modelColumns(props: ModelPanelProps): readonly ModelColumn[] {
  const { view: { catalog: { models, modelList: texts }, formats }, page } = props;
  const isMeasured = page.rows.some(({ measure }) => measure !== undefined);
  return [
    {
      head: models.name,
      sort: "name",
      type: "name",
      cell: (row) => <Name {...props} row={row} />,
    },
    ...priceColumns(props),
    ...comparedGroups(props).map((group) => groupColumn(group, props)),
    {
      head: texts.context,
      sort: "context",
      type: "number",
      class: "quiet parts",
      cell: ({ contextWindow, maxOutputTokens }) => (
        <>
          {contextWindow === undefined ? "–" : formats.count(contextWindow)}
          {maxOutputTokens !== undefined && (
            <span class="part">{texts.maxOutput(formats.short(maxOutputTokens))}</span>
          )}
        </>
      ),
    },
    {
      head: texts.does,
      class: "wrap parts quiet",
      cell: (row) => <Capabilities {...props} row={row} />,
    },
    ...isMeasured ? measureColumns(props) : [],
  ];
}

/** The groups whose prices are shown beside those of the chosen one. */
function comparedGroups({ query: { fields }, page: { groups } }: ModelPanelProps) {
  return fields.compare ? groups.filter(({ id }) => id !== (fields.group ?? groups[0]?.id)) : [];
}

function priceColumns({ view, setsPrices }: ModelPanelProps): readonly ModelColumn[] {
  const { catalog: { modelList: texts, priceAdmin, models }, formats } = view;
  const usd = (amount: number | undefined) => amount === undefined ? "–" : formats.usd(amount);
  const unpriced = (id: string) =>
    setsPrices
      ? (
        <A href={modelPricePath(id)}>
          <Status tone="warn">{priceAdmin.notSet}</Status>
        </A>
      )
      : models.unlisted;
  return [
    {
      head: texts.input,
      sort: "input",
      type: "number",
      cell: ({ id, price }) => price ? usd(price.input) : unpriced(id),
    },
    {
      head: texts.output,
      sort: "output",
      type: "number",
      cell: ({ price }) => usd(price?.output),
    },
    {
      head: texts.cached,
      type: "number",
      class: "quiet",
      cell: ({ price }) => usd(price?.cachedInput),
    },
    {
      head: texts.cacheWrite,
      type: "number",
      class: "quiet",
      cell: ({ price }) => usd(price?.cacheWrite),
    },
  ];
}

function groupColumn(group: Group, { view: { catalog, formats } }: ModelPanelProps): ModelColumn {
  const { modelList: texts } = catalog;
  return {
    head: texts.inGroup(`${texts.input} · ${texts.output}`, group.id),
    type: "number",
    class: "quiet",
    cell: ({ listPrice, groups }) => {
      if (listPrice === undefined || !groups.includes(group.id)) return "–";
      const { input, output } = priceIn(group, listPrice);
      return `${formats.usd(input)} · ${formats.usd(output)}`;
    },
  };
}

type RowProps = Pick<ModelPanelProps, "view" | "linked"> & { readonly row: ModelRow };

function Name({ view: { catalog }, row: { id, displayName, vendor }, linked = true }: RowProps) {
  const second = [displayName !== id && displayName, vendor].filter((part) => part);
  const path = `/console/pricing/model?${new URLSearchParams({ name: id })}`;
  return (
    <>
      <span>
        {linked ? <A href={path} {...untranslated}>{id}</A> : <span {...untranslated}>{id}</span>}
        <CopyButton text={id} label={catalog.models.copyName(id)} texts={catalog.copy} />
      </span>
      {second.length > 0 && <span class="faint">{second.join(" · ")}</span>}
    </>
  );
}

function Capabilities({ view, row: { capabilities, formats } }: RowProps) {
  const { modelList: texts, models, units } = view.catalog;
  const endpoints = formats.length === formatNames.length
    ? models.allFormats
    : view.formats.list(formats.map((format) => units.formats[format]));
  return (
    <>
      {capabilities.length > 0 && (
        <span>{view.formats.list(capabilities.map((one) => texts.capabilities[one]))}</span>
      )}
      <span class="part">{endpoints}</span>
    </>
  );
}

function measureColumns({ view }: ModelPanelProps): readonly ModelColumn[] {
  const { catalog: { modelList: texts }, formats } = view;
  return [
    {
      head: texts.measured,
      sort: "speed",
      class: "parts quiet measured",
      cell: ({ measure = {} }) => <Measured view={view} measure={measure} />,
    },
    {
      head: texts.spent(modelSpendDays),
      type: "number",
      cell: ({ measure }) => measure?.spentNanoUsd ? formats.money(measure.spentNanoUsd) : "–",
    },
  ];
}

function Measured(
  { view: { catalog: { modelList: texts }, formats, locale }, measure }:
    & Pick<ModelPanelProps, "view">
    & { readonly measure: NonNullable<MeasuredModel["measure"]> },
) {
  const { firstByteMs, tokensPerSecond, successShare } = measure;
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  return (
    <>
      <span>
        {successShare === undefined ? texts.notCalled : texts.success(percent.format(successShare))}
      </span>
      {firstByteMs !== undefined && (
        <span class="part">{texts.firstByte(formats.span(firstByteMs))}</span>
      )}
      {tokensPerSecond !== undefined && (
        <span class="part">{texts.speed(formats.count(Math.round(tokensPerSecond)))}</span>
      )}
    </>
  );
}
