import { isModelName } from "../../lib/admin/models/model_rows.ts";
import { formatNames } from "../../lib/canonical/mod.ts";
import { capabilities } from "../../lib/catalog/mod.ts";
import {
  modelList,
  type ModelPart,
  modelParts,
  setPricePath,
} from "../../lib/console/models/model_list.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { A, ListPanel } from "../list.ts";
import { modelColumns, type ModelPanelProps } from "./ModelTable.tsx";

/** The models that the reader may call. */
export function ModelPanel(props: ModelPanelProps) {
  const { view, query, page, reader } = props;
  const { models, modelList: texts, units } = view.catalog;
  const { vendors, groups } = page;
  return (
    <ListPanel
      {...{ view, query, page }}
      id="models"
      list={modelList}
      texts={models}
      icon="tags"
      columns={modelColumns(props)}
      keyOf={({ id }) => id}
      oneLine
      end={reader ? <Periods {...props} /> : <span class="faint">{texts.perMillion}</span>}
      above={
        <>
          {reader && page.total > 0 && <Parts {...props} />}
          {view.may?.("prices:write") && <NewPrice {...props} />}
        </>
      }
      filtersBelow
      filters={[
        { name: "q", label: models.search },
        {
          name: "vendor",
          label: texts.vendor,
          any: texts.anyVendor,
          options: vendors.map((vendor) => [vendor, vendor]),
        },
        {
          name: "format",
          label: texts.format,
          any: texts.anyFormat,
          options: formatNames.map((format) => [format, units.formats[format]]),
        },
        {
          name: "can",
          label: texts.capability,
          any: texts.anyCapability,
          options: capabilities.map((one) => [one, texts.capabilities[one]]),
        },
        groups.length > 1 && {
          name: "group",
          label: texts.group,
          any: texts.anyGroup,
          options: groups.map(({ id }) => [id, id]),
        },
        {
          name: "show",
          label: texts.parts,
          options: modelParts.map((part) => [part, texts.part[part]]),
          elsewhere: true,
        },
      ]}
      filterEnd={groups.length > 1 && <CompareLink {...props} />}
    />
  );
}

/** The address of the list with other fields. */
function hrefWith(
  { query }: ModelPanelProps,
  changes: Partial<ModelPanelProps["query"]["fields"]>,
): string {
  return listHref(modelList, { ...query, fields: { ...query.fields, ...changes } });
}

/** The parts of the list with their sizes; empty parts are left out. */
function Parts(props: ModelPanelProps) {
  const { view: { catalog, formats }, query, page, reader } = props;
  const { modelList: texts, priceAdmin, chains } = catalog;
  const { show } = query.fields;
  const isShown = (part: ModelPart) =>
    part === show || page.parts[part] > 0 && (reader === "administrator" || part === "called");
  return (
    <nav class="parts-of-list" aria-label={texts.parts}>
      <A href={hrefWith(props, { show: undefined })} current={show === undefined}>
        {texts.available} <b>{formats.count(page.total)}</b>
      </A>
      {modelParts.filter(isShown).map((part) => (
        <A
          key={part}
          href={hrefWith(props, { show: part })}
          current={part === show}
          class={part === "unpriced" ? "warn" : undefined}
        >
          {texts.part[part]} <b>{formats.count(page.parts[part])}</b>
        </A>
      ))}
      <span class="spacer" />
      {reader === "administrator" && (
        <>
          <A class="link" href="/console/pricing/virtual">{chains.title}</A>
          <A class="link" href="/console/pricing/proposals">{priceAdmin.catalogLink}</A>
        </>
      )}
    </nav>
  );
}

function Periods(props: ModelPanelProps) {
  const { view: { catalog: { modelList: texts, periods } }, page } = props;
  return (
    <ChoiceLinks
      label={texts.periods}
      choices={["14d", "24h"]}
      chosen={page.period}
      hrefOf={(period) => hrefWith(props, { period: period === "24h" ? period : undefined })}
      texts={periods.short}
    />
  );
}

function CompareLink(props: ModelPanelProps) {
  const { view: { catalog: { modelList: texts } }, query: { fields: { compare } } } = props;
  return (
    <A class="link" href={hrefWith(props, { compare: compare ? undefined : "groups" })}>
      {compare ? texts.compareNot : texts.compare}
    </A>
  );
}

/** Offers to price a model that no upstream lists yet. */
function NewPrice({ view: { catalog: { modelList: texts } }, query, page }: ModelPanelProps) {
  const { q = "" } = query.fields;
  if (page.found > 0 || !isModelName(q)) return null;
  return (
    <p class="hint below">
      <A class="link" href={setPricePath(q)}>{texts.setPriceOf(q)}</A>
    </p>
  );
}
