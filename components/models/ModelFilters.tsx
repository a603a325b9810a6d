import { type ModelQuery, modelsPath } from "../../lib/console/models/model_list.ts";
import { sortText } from "../../lib/console/page/list_query.ts";
import type { ModelList } from "../../lib/console/models/read_model_list.ts";
import { type AccountView, capabilities, formatNames } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { SearchField } from "../SearchField.tsx";

/** Which models are shown, in which group; all of it stands in the address. */
export function ModelFilters(
  { view, query, list: { vendors, groups } }: {
    view: Pick<AccountView, "catalog">;
    query: ModelQuery;
    list: ModelList;
  },
) {
  const { modelList: texts, models, units } = view.catalog;
  const { text, vendor, format, capability, groupId } = query;
  return (
    <FilterSheet
      view={view}
      label={texts.filter}
      used={[text, vendor, format, capability, groupId].filter(Boolean).length}
      action={query.path}
      class="filters below-head"
    >
      <SearchField label={models.search} value={query.text} />
      <Choice
        name="vendor"
        label={texts.vendor}
        any={texts.anyVendor}
        value={query.vendor}
        options={vendors.map((vendor) => [vendor, vendor])}
      />
      <Choice
        name="format"
        label={texts.format}
        any={texts.anyFormat}
        value={query.format}
        options={formatNames.map((format) => [format, units.formats[format]])}
      />
      <Choice
        name="can"
        label={texts.capability}
        any={texts.anyCapability}
        value={query.capability}
        options={capabilities.map((one) => [one, texts.capabilities[one]])}
      />
      {groups.length > 1 && (
        <Choice
          name="group"
          label={texts.group}
          any={texts.anyGroup}
          value={query.groupId}
          options={groups.map(({ id }) => [id, id])}
        />
      )}
      <input type="hidden" name="sort" value={sortText(query.sort)} />
      {query.compares && <input type="hidden" name="compare" value="groups" />}
      <button class="button" type="submit">{texts.apply}</button>
      {groups.length > 1 && (
        <A class="link" href={modelsPath({ ...query, compares: !query.compares })}>
          {query.compares ? texts.compareNot : texts.compare}
        </A>
      )}
    </FilterSheet>
  );
}
