import type {
  ImportComparison,
  ImportRow,
  ImportStatus,
} from "../../lib/admin/upstreams/import_models.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { LateParts } from "../../lib/console/upstreams/streamed.tsx";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, Status, type StatusTone } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { ServedLimits, ServedPrice } from "./ServedModels.tsx";

/** The page while an upstream's model list loads, and the frame of the result. */
export function ImportPanel({ view }: { view: AccountView }) {
  const { upstreamAdmin: texts } = view.catalog;
  return (
    <>
      <Panel id="import" title={texts.modelsImport}>
        <p class="hint below">{texts.importText}</p>
        <p class="working" role="status">
          <Icon name="refresh-cw" small />
          {texts.importing}
        </p>
        <LateParts />
      </Panel>
    </>
  );
}

/** The reason why there is no list. */
export function ImportFailed(
  { view, id, said }: { view: AccountView; id: string; said: string },
) {
  const { upstreamAdmin: texts, lists } = view.catalog;
  return (
    <div class="arrived" {...untranslated}>
      <Empty icon="triangle-alert" title={texts.importFailed} text={said}>
        <A class="button" href={`/console/admin/upstreams/${id}/import`}>{lists.retry}</A>
      </Empty>
    </div>
  );
}

interface ImportTableProps {
  readonly view: AccountView;
  readonly id: string;
  readonly comparison: ImportComparison;
}

/**
 * The models of an upstream's list beside those that it serves here, to select additions and
 * removals.
 */
export function ImportTable({ view, id, comparison }: ImportTableProps) {
  const { catalog: { upstreamAdmin: texts, upstreams }, formats } = view;
  const { rows, patterns, counts, isComplete } = comparison;
  const statuses = Object.keys(counts) as ImportStatus[]; // sound: counts' own keys
  return (
    <form class="arrived" method="post" action={`/console/admin/upstreams/${id}/import`}>
      <p class="hint below">
        {statuses.map((status) =>
          texts.statusCount(texts.status[status], formats.count(counts[status]))
        ).join(" · ")}
        {!isComplete && ` ${texts.importCut}`}
      </p>
      <Table
        caption={texts.importText}
        label={upstreams.models}
        head={
          <>
            <Column>
              <span class="unseen">{texts.actions}</span>
            </Column>
            <Column>{texts.modelOwn}</Column>
            <Column>{texts.statusTitle}</Column>
            <Column>{texts.publicName}</Column>
            <Column number>{texts.modelLimits}</Column>
            <Column number>{texts.modelPrice}</Column>
          </>
        }
      >
        {rows.map((row, at) => <ModelRow key={row.own} view={view} row={row} at={at} />)}
        {patterns.map(({ entry, matches }) => (
          <Row key={entry}>
            <Cell class="pick">
              <Drop view={view} entry={entry} />
            </Cell>
            <NameCell>
              <span {...untranslated}>{entry}</span>
            </NameCell>
            <Cell label={texts.statusTitle} class="quiet">
              {texts.patternFor(formats.count(matches))}
            </Cell>
            <Cell class="quiet">{texts.none}</Cell>
            <Cell class="number">{texts.none}</Cell>
            <Cell class="number">{texts.none}</Cell>
          </Row>
        ))}
      </Table>
      <div class="bar-actions">
        <button class="button primary" type="submit">{texts.importReview}</button>
        <A class="button" href={`/console/admin/upstreams/${id}`}>{upstreams.cancel}</A>
      </div>
    </form>
  );
}

const toneOf = { new: "ok", known: "off", pattern: "off", gone: "warn" } as const satisfies Record<
  ImportStatus,
  StatusTone
>;

function ModelRow({ view, row, at }: { view: AccountView; row: ImportRow; at: number }) {
  const { upstreamAdmin: texts } = view.catalog;
  const { own, status, entry } = row;
  const isAddable = status === "new" || status === "pattern";
  return (
    <Row>
      <Cell class="pick">
        {isAddable
          ? (
            <label class="choice">
              <input
                type="checkbox"
                name="use"
                value={at}
                aria-label={`${texts.add} ${own}`}
              />
              <span>{texts.add}</span>
            </label>
          )
          : <Drop view={view} entry={entry ?? own} />}
      </Cell>
      <NameCell>
        <span {...untranslated}>{own}</span>
        {isAddable && <ListedLimits row={row} at={at} />}
      </NameCell>
      <Cell label={texts.statusTitle}>
        <Status tone={toneOf[status]}>{texts.status[status]}</Status>
      </Cell>
      <Cell label={texts.publicName} class="wrap">
        {isAddable
          ? (
            <input
              class="input cell-input wide"
              name={`as.${at}`}
              aria-label={texts.publicNameOf(own)}
              autocomplete="off"
              spellcheck={false}
              placeholder={own}
            />
          )
          : <span {...untranslated}>{entry}</span>}
      </Cell>
      <Cell label={texts.modelLimits} class="number">
        <ServedLimits view={view} model={row} />
      </Cell>
      <Cell label={texts.modelPrice} class="number">
        {row.price || !isAddable
          ? <ServedPrice view={view} price={row.price} />
          : <PriceInputs view={view} own={own} at={at} />}
      </Cell>
    </Row>
  );
}

/** Hidden fields with the listed values of a row, which the user cannot edit. */
function ListedLimits({ row: { own, listedLimits }, at }: { row: ImportRow; at: number }) {
  return (
    <>
      <input type="hidden" name={`own.${at}`} value={own} />
      {listedLimits.contextWindow !== undefined && (
        <input type="hidden" name={`context.${at}`} value={listedLimits.contextWindow} />
      )}
      {listedLimits.maxOutputTokens !== undefined && (
        <input type="hidden" name={`answer.${at}`} value={listedLimits.maxOutputTokens} />
      )}
    </>
  );
}

function Drop({ view, entry }: { view: AccountView; entry: string }) {
  const { upstreamAdmin: { remove } } = view.catalog;
  return (
    <label class="choice">
      <input type="checkbox" name="drop" value={entry} aria-label={`${remove} ${entry}`} />
      <span>{remove}</span>
    </label>
  );
}

function PriceInputs(
  { view: { catalog: { upstreamAdmin: texts } }, own, at }: {
    view: AccountView;
    own: string;
    at: number;
  },
) {
  const sides = [
    ["in", texts.priceIn, texts.priceInOf(own)],
    ["out", texts.priceOut, texts.priceOutOf(own)],
  ];
  return (
    <span class="price-inputs">
      {sides.map(([name, hint, label]) => (
        <input
          key={name}
          class="input cell-input"
          name={`${name}.${at}`}
          inputMode="decimal"
          autocomplete="off"
          aria-label={label}
          placeholder={hint}
        />
      ))}
    </span>
  );
}
