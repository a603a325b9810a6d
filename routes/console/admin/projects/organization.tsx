import type { ComponentProps } from "preact";
import { LimitsInForce } from "../../../../components/bounds/LimitsInForce.tsx";
import { BoundsPanel } from "../../../../components/groups/BoundsFields.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { boundsIn, boundsValues, readBounds } from "../../../../lib/admin/bounds.ts";
import { boundsOfSubject } from "../../../../lib/admin/effective_bounds.ts";
import { changeOrganization } from "../../../../lib/admin/projects.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { tryLoad } from "../../../../lib/console/page/reading.ts";
import type { EffectiveBounds } from "../../../../lib/ledger/mod.ts";
import { getOrganization } from "../../../../lib/store/projects/mod.ts";

interface OrganizationData extends Pick<ComponentProps<typeof BoundsPanel>, "values" | "faults"> {
  /** Undefined if they could not be read. */
  readonly bounds?: EffectiveBounds;
}

/** The limits of all calls together. */
export const handler = defineForm<OrganizationData>({
  load: async ({ state }) => {
    const organization = await getOrganization(state.services.store);
    const bounds = await tryLoad(boundsOfSubject({ type: "organization", organization }, state));
    return { values: boundsValues(organization ?? {}), faults: {}, bounds };
  },

  async submit(ctx, form, { again }) {
    const values = readBounds(form);
    const { faults } = boundsIn(values, {});
    if (Object.keys(faults).length > 0) return await again({ values, faults });
    await changeOrganization(ctx, (current) => boundsIn(values, current));
    return seeOther("/console/admin/projects?done=saved");
  },
});

export default accountPage<typeof handler>(({ data: { bounds, ...form }, view }) => {
  const { projects: texts } = view.catalog;
  const names = { budgets: texts.organizationBudgets, limits: texts.organizationLimits };
  return (
    <ConsolePage view={view} title={texts.organization} place="projects">
      <LimitsInForce view={view} bounds={bounds} />
      <BoundsPanel
        {...form}
        view={view}
        title={texts.organizationTitle}
        text={texts.organizationText}
        names={names}
      />
    </ConsolePage>
  );
});
