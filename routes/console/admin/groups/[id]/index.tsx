import { HttpError, page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { GroupForm } from "../../../../../components/groups/GroupForm.tsx";
import { GroupTable } from "../../../../../components/groups/GroupPanel.tsx";
import { Panel } from "../../../../../components/Panel.tsx";
import { auditChanges } from "../../../../../lib/console/audit/audit.ts";
import { listFormBytesMax, readForm } from "../../../../../lib/console/page/form_body.ts";
import {
  type GroupFaults,
  groupOf,
  type GroupValues,
  groupValues,
  groupWords,
  readGroupForm,
} from "../../../../../lib/console/groups/group_form.ts";
import { type GroupUse, groupUses } from "../../../../../lib/console/groups/group_use.ts";
import { type AccountState, defineForAccount } from "../../../../../lib/console/session/state.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import {
  defaultGroupId,
  getGroup,
  type Group,
  updateGroup,
} from "../../../../../lib/store/catalog/mod.ts";

interface GroupData {
  readonly uses: ReadonlyMap<string, GroupUse>;
  readonly group: Group;
  readonly values: GroupValues;
  readonly faults: GroupFaults;
}

/** One group, with a form to change it unless the configuration declares it. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const group = await groupAt(params.id, state);
    const uses = await usesOf(state);
    return page<GroupData>({ uses, group, values: groupValues(group), faults: {} });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const current = await groupAt(params.id, state);
    if (current.origin !== "console") throw new HttpError(404);
    const values = { ...readGroupForm(await readForm(req, listFormBytesMax)), id: current.id };
    const result = groupOf(values, current, state.catalog.groups);
    if (result.type === "invalid") {
      const data = { uses: await usesOf(state), group: current, values, faults: result.faults };
      return page<GroupData>(data, { status: 422 });
    }
    const target = { targetId: current.id, targetName: current.id };
    const audit = auditChanges(ctx, { kind: "group", action: "changed", ...target }, groupWords);
    await updateGroup(state.services.store, current.id, () => result.group, { audit });
    const headers = { location: "/console/admin/groups?done=saved" };
    return new Response(null, { status: 303, headers });
  },
});

function usesOf({ services: { store, directory } }: AccountState) {
  return groupUses(store, directory);
}

async function groupAt(id: string, { services }: AccountState): Promise<Group> {
  const group = id.length <= 100 ? await getGroup(services.store, id) : undefined;
  if (group === undefined) throw new HttpError(404);
  return group;
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { groups: texts } = view.catalog;
  const { group, values, faults, uses } = data;
  return (
    <ConsolePage view={view} title={group.id} place="groups">
      <Panel
        id="group"
        title={texts.name}
        end={group.origin === "console" && group.id !== defaultGroupId && (
          <A class="button" href={`/console/admin/groups/${group.id}/delete`}>{texts.delete}</A>
        )}
      >
        {group.origin === "console"
          ? <GroupForm view={view} values={values} faults={faults} isNew={false} />
          : (
            <>
              <p class="hint below">{texts.declaredText}</p>
              <GroupTable view={view} row={{ group, use: uses.get(group.id) }} />
            </>
          )}
      </Panel>
    </ConsolePage>
  );
});
