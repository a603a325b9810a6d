import { TextField } from "../../../../components/controls.tsx";
import { BoundsPanel } from "../../../../components/groups/BoundsFields.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { TagPanel } from "../../../../components/projects/TagPanel.tsx";
import {
  type BoundsFaults,
  boundsIn,
  type BoundsValues,
  boundsValues,
  readBounds,
} from "../../../../lib/admin/bounds.ts";
import { faultIn } from "../../../../lib/admin/fault_text.ts";
import type { FaultCode } from "../../../../lib/admin/faults.ts";
import { changeTag, tagTextRule } from "../../../../lib/admin/projects.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { readTagGroups, type TagGroup } from "../../../../lib/console/projects/tag_page.ts";
import { getTagBudget } from "../../../../lib/store/projects/mod.ts";

interface TagData {
  readonly groups: readonly TagGroup[];
  readonly tag: string;
  readonly values: BoundsValues;
  readonly faults: BoundsFaults & { readonly tag?: FaultCode<"project"> };
}

/** The spending by tag, and a form for the limits of one. `?tag=` fills the form. */
export const handler = defineForm<TagData>({
  async load({ state, url }) {
    const tag = (url.searchParams.get("tag") ?? "").slice(0, 100);
    const bounds = await getTagBudget(state.services.store, tag);
    return {
      groups: await readTagGroups(state),
      tag,
      values: boundsValues(bounds ?? {}),
      faults: {},
    };
  },

  async submit(ctx, form, { again }) {
    const entered = { tag: (form.get("tag") ?? "").trim().slice(0, 100), values: readBounds(form) };
    const { tag } = entered;
    if (!tagTextRule.safeParse(tag).success) {
      return await again({ ...entered, faults: { tag: "tag" } });
    }
    const { faults } = boundsIn(entered.values, {});
    if (Object.keys(faults).length > 0) return await again({ ...entered, faults });
    const changed = await changeTag(
      ctx,
      tag,
      (current = { tag }) => boundsIn(entered.values, current),
    );
    if (changed === "full") return await again({ ...entered, faults: { tag: "tagsMax" } });
    return seeOther("/console/admin/projects/tags?done=budget");
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { projects: texts } = view.catalog;
  const { groups, tag, values, faults } = data;
  return (
    <ConsolePage view={view} title={texts.tags} place="projects" done={texts.done}>
      <TagPanel view={view} groups={groups} />
      <BoundsPanel
        view={view}
        title={texts.tagBudget}
        text={texts.tagEmptyHint}
        names={{ budgets: texts.tagBudgets, limits: texts.tagLimits }}
        values={values}
        faults={faults}
        submit={texts.setBudget}
      >
        <TextField
          name="tag"
          label={texts.tag}
          hint={texts.tagHint}
          value={tag}
          fault={faultIn(faults, "tag", view.catalog.faults.project)}
          spellcheck={false}
        />
      </BoundsPanel>
    </ConsolePage>
  );
});
