import { BoundsPanel } from "../../../../components/groups/BoundsFields.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import {
  type BoundsFaults,
  boundsIn,
  type BoundsValues,
  boundsValues,
  readBounds,
} from "../../../../lib/admin/bounds.ts";
import { changeUser } from "../../../../lib/admin/users.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { managedProjectAt, memberAt } from "../../../../lib/console/projects/project_page.ts";
import type { User } from "../../../../lib/store/users/mod.ts";

interface MemberData {
  readonly projectId: string;
  readonly member: User;
  readonly values: BoundsValues;
  readonly faults: BoundsFaults;
}

/** The budgets and limits of a project's member, `?account=`. */
export const handler = defineForm<MemberData>({
  async load({ params, url, state }) {
    const project = await managedProjectAt(params.id, state);
    const member = await memberAt(url.searchParams.get("account") ?? "", project, state);
    return { projectId: project.id, member, values: boundsValues(member), faults: {} };
  },

  async submit(ctx, form, { load, again }) {
    const { projectId, member } = await load();
    const values = readBounds(form);
    const { faults, budgets, limits } = boundsIn(values, member);
    if (Object.keys(faults).length > 0) return await again({ values, faults });
    await changeUser(ctx, member, (user) => ({ ...user, budgets, limits }));
    return seeOther(`/console/projects/${projectId}?done=saved`);
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { projects: texts, users } = view.catalog;
  const { projectId, member, values, faults } = data;
  return (
    <ConsolePage
      view={view}
      title={member.email}
      place="account"
      up={{ href: `/console/projects/${projectId}`, text: projectId }}
    >
      <BoundsPanel
        view={view}
        title={texts.memberTitle(member.email)}
        text={texts.memberText}
        names={{ budgets: users.budgets, limits: users.limits }}
        values={values}
        faults={faults}
      />
    </ConsolePage>
  );
});
