import { page } from "fresh";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { GroupForm } from "../../../../components/groups/GroupForm.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { auditEntry, changesBetween } from "../../../../lib/console/audit/audit.ts";
import { listFormBytesMax, readForm } from "../../../../lib/console/page/form_body.ts";
import {
  type GroupFaults,
  groupOf,
  type GroupValues,
  groupValues,
  groupWords,
  readGroupForm,
} from "../../../../lib/console/groups/group_form.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { type Store, StoreError } from "../../../../lib/store/mod.ts";
import type { AuditDraft } from "../../../../lib/store/audit/mod.ts";
import { createGroup, type Group } from "../../../../lib/store/catalog/mod.ts";

interface NewGroupData {
  readonly values: GroupValues;
  readonly faults: GroupFaults;
}

/** Adds a group. */
export const handler = defineForAccount.handlers({
  GET: () => page<NewGroupData>({ values: groupValues(), faults: {} }),

  async POST(ctx) {
    const { req, state: { services: { store }, catalog: { groups: texts } } } = ctx;
    const values = readGroupForm(await readForm(req, listFormBytesMax));
    const result = groupOf(values, undefined, texts);
    if (result.type === "invalid") {
      return page<NewGroupData>({ values, faults: result.faults }, { status: 422 });
    }
    const { group } = result;
    const changes = changesBetween({}, groupWords(group));
    const target = { targetId: group.id, targetName: group.id };
    const audit = auditEntry(ctx, { kind: "group", action: "created", ...target, changes });
    if (!await create(store, group, audit)) {
      return page<NewGroupData>({ values, faults: { id: texts.fault.taken } }, { status: 422 });
    }
    const headers = { location: "/console/admin/groups?done=saved" };
    return new Response(null, { status: 303, headers });
  },
});

/** Returns false if the name is taken. */
async function create(store: Store, group: Group, audit: AuditDraft): Promise<boolean> {
  try {
    await createGroup(store, group, { audit });
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === "already_exists") return false;
    throw error;
  }
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { groups: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="groups">
      <Panel id="group" title={texts.add}>
        <GroupForm view={view} values={data.values} faults={data.faults} isNew />
      </Panel>
    </ConsolePage>
  );
});
