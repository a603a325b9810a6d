import { priceIn } from "../../lib/admin/models/model_rows.ts";
import {
  type MeasuredModel,
  modelList,
  modelPath,
  type ModelQuery,
  type ServedBy,
  setPricePath,
} from "../../lib/console/models/model_list.ts";
import { successShare } from "../../lib/console/models/model_measures.ts";
import type { ModelListPage } from "../../lib/console/models/read_models.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Group } from "../../lib/store/catalog/mod.ts";
import { Success } from "../States.tsx";
import { Sparkline } from "../chart/TinyCharts.tsx";
import { A, type ColumnsOf, Status, untranslated } from "../list.ts";
import { decimalsAmong, Dollars } from "../values.tsx";

export interface ModelPanelProps {
  readonly view:
    & Pick<AccountView, "catalog" | "formats" | "locale" | "path">
    & Partial<Pick<AccountView, "may">>;
  readonly query: ModelQuery;
  readonly page: ModelListPage;
  /** The reader of the public page has none: without links to models, and without measurements. */
  readonly reader?: "member" | "administrator";
}

type ModelColumn = ColumnsOf<typeof modelList>[number];

/** The columns of the list of models: what it is, measurements, price, administration. */
export function modelColumns(props: ModelPanelProps): readonly ModelColumn[] {
  const { view: { catalog: { models, modelList: texts }, formats }, reader } = props;
  return [
    {
      head: models.name,
      sort: "name",
      type: "name",
      at: "name",
      cell: (row) => <Name row={row} linked={reader !== undefined} />,
    },
    {
      head: texts.context,
      sort: "context",
      type: "number",
      from: 1040,
      class: "quiet",
      cell: ({ contextWindow }) => contextWindow === undefined ? "–" : formats.short(contextWindow),
    },
    ...reader ? measureColumns(props) : [],
    ...priceColumns(props),
    ...comparedGroups(props).map((group) => groupColumn(group, props)),
    ...reader === "administrator" ? servedColumns(props) : [],
    ...reader ? [spendColumn(props)] : [],
  ];
}

function Name(
  { row: { id, displayName, vendor, served }, linked }: { row: MeasuredModel; linked: boolean },
) {
  const isUnserved = served?.upstreams.length === 0;
  return (
    <>
      {linked
        ? <A class="model" href={modelPath(id)} title={displayName ?? id} {...untranslated}>{id}</A>
        : <span class="model" title={displayName ?? id} {...untranslated}>{id}</span>}
      {vendor && !isUnserved && <span class="vendor" {...untranslated}>{vendor}</span>}
    </>
  );
}

function measureColumns({ view }: ModelPanelProps): readonly ModelColumn[] {
  const { catalog: { modelList: texts }, formats } = view;
  return [
    {
      head: texts.success,
      sort: "success",
      type: "number",
      at: "second",
      cell: ({ use }) => {
        const share = use && successShare(use.counts);
        if (share === undefined) return <span class="faint">{texts.noCalls}</span>;
        return <Success share={share} text={formats.percent(share)} />;
      },
    },
    {
      head: texts.firstByte,
      sort: "speed",
      type: "number",
      cell: ({ speed }) => speed?.firstByteMs === undefined ? "–" : formats.span(speed.firstByteMs),
    },
    {
      head: texts.tokensPerSecond,
      sort: "tokens",
      type: "number",
      from: 880,
      cell: ({ speed }) =>
        speed?.tokensPerSecond === undefined
          ? "–"
          : formats.count(Math.round(speed.tokensPerSecond)),
    },
    {
      head: texts.calls,
      sort: "calls",
      type: "number",
      from: 880,
      class: "trend",
      cell: ({ use }) =>
        use && (
          <>
            <Sparkline amounts={use.trend} />
            <span>{formats.short(use.counts.requests)}</span>
          </>
        ),
    },
  ];
}

function priceColumns({ view, reader }: ModelPanelProps): readonly ModelColumn[] {
  const { catalog: { modelList: texts }, formats } = view;
  const usd = (amount: number | undefined) => amount === undefined ? "–" : formats.usd(amount);
  const sources = texts.sources;
  return [
    {
      head: texts.input,
      sort: "input",
      type: "number",
      at: "below",
      cell: ({ price }) =>
        price
          ? <span data-small={texts.inAndOut("", usd(price.output))}>{usd(price.input)}</span>
          : reader === "administrator"
          ? <Status tone="warn">{sources.nobody}</Status>
          : <span class="faint">{sources.nobody}</span>,
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
      from: 1040,
      class: "quiet",
      cell: ({ price }) => usd(price?.cachedInput),
    },
  ];
}

/** The groups whose prices are shown beside those of the chosen one. */
function comparedGroups({ query: { fields }, page: { groups } }: ModelPanelProps) {
  return fields.compare ? groups.filter(({ id }) => id !== (fields.group ?? groups[0]?.id)) : [];
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

const unknownSource: ServedBy = { upstreams: [], source: "nobody", isOutdated: false };

function servedColumns({ view: { catalog: { modelList: texts }, may } }: ModelPanelProps) {
  return [
    {
      head: texts.upstreams,
      from: 1040,
      class: "quiet served-by",
      cell: ({ served }: MeasuredModel) => (
        <span title={served?.upstreams.join(", ")} {...untranslated}>
          {served?.upstreams.join(", ") || "–"}
        </span>
      ),
    },
    {
      head: texts.source,
      cell: ({ id, served: { source, isOutdated } = unknownSource }: MeasuredModel) =>
        source === "nobody" && may?.("prices:write")
          ? (
            <A class="link over" href={setPricePath(id)} aria-label={texts.setPriceOf(id)}>
              {texts.setPrice}
            </A>
          )
          : (
            <span title={isOutdated ? texts.part.outdated : undefined}>
              {texts.sources[source]}
            </span>
          ),
    },
  ] satisfies ModelColumn[];
}

function spendColumn({ view, reader }: ModelPanelProps): ModelColumn {
  const { catalog: { modelList: texts }, formats } = view;
  return {
    head: reader === "administrator" ? texts.spend : texts.yourSpend,
    sort: "spent",
    type: "number",
    at: "first",
    cell: ({ spentNanoUsd, price }, rows) =>
      spentNanoUsd === undefined
        ? "–"
        : spentNanoUsd === 0n && price === undefined
        ? <span class="faint">{texts.notCharged}</span>
        : (
          <Dollars
            nanoUsd={spentNanoUsd}
            formats={formats}
            decimals={decimalsAmong(rows.map((one) => one.spentNanoUsd))}
          />
        ),
  };
}
