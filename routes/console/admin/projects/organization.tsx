import type { ComponentProps } from "preact";
import { BoundsPanel } from "../../../../components/groups/BoundsFields.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { boundsIn, boundsValues, readBounds } from "../../../../lib/admin/bounds.ts";
import { changeOrganization } from "../../../../lib/admin/projects.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { getOrganization } from "../../../../lib/store/projects/mod.ts";

type OrganizationData = Pick<ComponentProps<typeof BoundsPanel>, "values" | "faults">;

/** The limits of all calls together. */
export const handler = defineForm<OrganizationData>({
  load: async ({ state: { services: { store } } }) => ({
    values: boundsValues(await getOrganization(store) ?? {}),
    faults: {},
  }),

  async submit(ctx, form, { again }) {
    const values = readBounds(form);
    const { faults } = boundsIn(values, {});
    if (Object.keys(faults).length > 0) return await again({ values, faults });
    await changeOrganization(ctx, (current) => boundsIn(values, current));
    return seeOther("/console/admin/projects?done=saved");
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { projects: texts } = view.catalog;
  const names = { budgets: texts.organizationBudgets, limits: texts.organizationLimits };
  return (
    <ConsolePage view={view} title={texts.organization} place="projects">
      <BoundsPanel
        {...data}
        view={view}
        title={texts.organizationTitle}
        text={texts.organizationText}
        names={names}
      />
    </ConsolePage>
  );
});
