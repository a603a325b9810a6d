import type { FaultTexts, FormFaults } from "../../lib/admin/fault_text.ts";
import { batchStatus, batchStatuses } from "../../lib/admin/funds.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  type BatchField,
  batchList,
  type BatchValues,
  type ListedBatch,
} from "../../lib/console/wallet/code_batches.ts";
import { bindFields, TextField } from "../controls.tsx";
import {
  A,
  type ColumnsOf,
  ListPanel,
  type PanelProps,
  Status,
  Time,
  untranslated,
} from "../list.ts";

/** All batches of redemption codes. */
export function BatchPanel(props: PanelProps<typeof batchList>) {
  const { codes: texts } = props.view.catalog;
  return (
    <ListPanel
      {...props}
      id="batches"
      list={batchList}
      texts={texts}
      icon="ticket"
      oneLine
      columns={columns(props.view)}
      keyOf={({ id }) => id}
      isOff={({ enabled, isExpired }) => !enabled || isExpired}
      filters={[
        {
          name: "status",
          label: texts.status,
          any: texts.anyStatus,
          options: batchStatuses.map((status) => [status, texts[status]]),
        },
        { name: "q", label: texts.search },
      ]}
    />
  );
}

function columns(
  view: AccountView,
): ColumnsOf<typeof batchList> {
  const { catalog: { codes: texts }, formats } = view;
  return [
    {
      head: texts.name,
      at: "name",
      sort: "name",
      type: "name",
      cell: ({ id, name }) => (
        <span>
          <A href={`/console/admin/codes/${id}`}>{name}</A>
        </span>
      ),
    },
    { head: texts.status, at: "below", cell: (batch) => <BatchStatus view={view} batch={batch} /> },
    {
      head: texts.amount,
      at: "first",
      sort: "amount",
      type: "number",
      cell: ({ amountNanoUsd }) => formats.price(amountNanoUsd),
    },
    {
      head: texts.codes,
      sort: "codes",
      type: "number",
      cell: ({ count }) => formats.count(count),
    },
    { head: texts.uses, type: "number", cell: ({ usesMax }) => formats.count(usesMax) },
    {
      head: texts.expires,
      sort: "expires",
      class: "quiet",
      cell: ({ expiresAtMs }) =>
        expiresAtMs === undefined ? texts.never : formats.utcDay(expiresAtMs),
    },
    {
      head: texts.created,
      at: "second",
      sort: "created",
      class: "quiet",
      cell: ({ createdAtMs }) => <Time atMs={createdAtMs} formats={formats} />,
    },
    {
      head: texts.createdBy,
      class: "quiet wrap",
      cell: ({ author, createdBy }) => <span {...untranslated}>{author ?? createdBy}</span>,
    },
  ];
}

const toneOf = { enabled: "ok", disabled: "off", expired: "bad" } as const;

export function BatchStatus({ view, batch }: { view: AccountView; batch: ListedBatch }) {
  const { codes: texts } = view.catalog;
  const status = batchStatus(batch);
  return <Status tone={toneOf[status]}>{texts[status]}</Status>;
}

/** The fields of a new batch of codes. */
export function BatchFields({ texts, values, faults, faultTexts }: {
  texts: Catalog["codes"];
  values: BatchValues;
  faults: FormFaults<BatchField, string>;
  faultTexts: FaultTexts;
}) {
  const { optional } = texts;
  const field = bindFields({ values, faults, texts: texts.fields, faultTexts });
  const whole = { inputMode: "numeric", required: true } as const;
  return (
    <>
      <TextField {...field("name")} maxLength={100} required />
      <div class="pair">
        <TextField {...field("amount")} inputMode="decimal" required />
        <TextField {...field("count")} {...whole} />
      </div>
      <div class="pair">
        <TextField {...field("uses")} {...whole} />
        <TextField {...field("perAccount")} optional={optional} inputMode="numeric" />
      </div>
      <div class="pair">
        <TextField {...field("expiry")} type="date" optional={optional} />
      </div>
    </>
  );
}
