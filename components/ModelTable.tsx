import CopyButton from "../islands/CopyButton.tsx";
import type { ModelRow } from "../lib/console/model_rows.ts";
import type { AccountView } from "../lib/console/view.ts";
import { modelPricePath } from "./PriceTable.tsx";
import { Status } from "./States.tsx";
import { Cell, Column, NameCell, Row, Table } from "./Table.tsx";
import { untranslated } from "./untranslated.ts";

const formatCount = 4;

/** Models and what they cost; each leads to its page where its reader is signed in. */
export function ModelTable(
  { view, rows, linked = true, setsPrices = false }: {
    view: Pick<AccountView, "catalog" | "formats">;
    rows: readonly ModelRow[];
    linked?: boolean;
    /** Whether the reader may set the price of a model that has none. */
    setsPrices?: boolean;
  },
) {
  const { models } = view.catalog;
  const priced = setsPrices || rows.some(({ price }) => price);
  return (
    <Table
      caption={models.caption}
      label={models.tableLabel}
      head={
        <>
          <Column>{models.name}</Column>
          <Column>{models.groups}</Column>
          <Column>{models.formats}</Column>
          <Column number>{models.context}</Column>
          <Column number>{models.maxOutput}</Column>
          {priced && <Column>{models.price}</Column>}
        </>
      }
    >
      {rows.map((row) => (
        <ModelTableRow key={row.id} {...{ view, row, priced, linked, setsPrices }} />
      ))}
    </Table>
  );
}

function ModelTableRow(
  { view: { catalog, formats }, row, priced, linked, setsPrices }: {
    view: Pick<AccountView, "catalog" | "formats">;
    row: ModelRow;
    priced: boolean;
    linked: boolean;
    setsPrices: boolean;
  },
) {
  const { models, units, copy } = catalog;
  const { id, displayName, groups, contextWindow, maxOutputTokens, price } = row;
  return (
    <Row>
      <NameCell>
        <span>
          {linked
            ? (
              <a
                href={`/console/pricing/model?${new URLSearchParams({ name: id })}`}
                {...untranslated}
              >
                {id}
              </a>
            )
            : <span {...untranslated}>{id}</span>}
          <CopyButton text={id} label={models.copyName(id)} texts={copy} />
        </span>
        {displayName && displayName !== id && <span class="faint">{displayName}</span>}
      </NameCell>
      <Cell label={models.groups} class="quiet">{groups.join(", ")}</Cell>
      <Cell label={models.formats} class="quiet">
        {row.formats.length === formatCount
          ? models.allFormats
          : row.formats.map((format) => units.formats[format]).join(", ")}
      </Cell>
      <Cell label={models.context} class="number quiet">
        {contextWindow === undefined ? models.unknown : formats.count(contextWindow)}
      </Cell>
      <Cell label={models.maxOutput} class="number quiet">
        {maxOutputTokens === undefined ? models.unknown : formats.count(maxOutputTokens)}
      </Cell>
      {priced && (
        <Cell label={models.price} class="quiet">
          {price
            ? models.priceText(formats.usd(price.input), formats.usd(price.output))
            : setsPrices
            ? (
              <a href={modelPricePath(id)} aria-current="false">
                <Status tone="warn">{catalog.priceAdmin.notSet}</Status>
              </a>
            )
            : models.unlisted}
        </Cell>
      )}
    </Row>
  );
}
