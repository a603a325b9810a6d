import { modelList } from "../../lib/console/models/model_list.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import { capabilities, formatNames } from "../../lib/console/page/view.ts";
import { A, ListPanel } from "../list.ts";
import { modelColumns, type ModelPanelProps } from "./ModelTable.tsx";

/** The models that the reader may call. */
export function ModelPanel(props: ModelPanelProps) {
  const { view, query, page } = props;
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
      end={<span class="faint">{texts.perMillion}</span>}
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
      ]}
      filterEnd={groups.length > 1 && <CompareLink {...props} />}
    />
  );
}

function CompareLink({ view: { catalog: { modelList: texts } }, query }: ModelPanelProps) {
  const { compare } = query.fields;
  const fields = { ...query.fields, compare: compare ? undefined : "groups" as const };
  return (
    <A class="link" href={listHref(modelList, { ...query, fields }, query)}>
      {compare ? texts.compareNot : texts.compare}
    </A>
  );
}
