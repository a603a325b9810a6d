import { page } from "fresh";
import { BaseUrls } from "../../components/BaseUrls.tsx";
import { ClientPanel } from "../../components/ClientPanel.tsx";
import { ConsolePage } from "../../components/ConsolePage.tsx";
import { CreateKeyAction } from "../../components/CreateKeyAction.tsx";
import { groupsOf } from "../../lib/console/account_groups.ts";
import { readClient } from "../../lib/console/clients.ts";
import { modelRows } from "../../lib/console/model_rows.ts";
import { defineForAccount } from "../../lib/console/state.ts";
import { accountView } from "../../lib/console/view.ts";
import { listApiKeys } from "../../lib/store/mod.ts";

/** How a client is set up: `?client=` says which, `?model=` what it asks for. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store, directory }, account: { user }, nowMs } = state;
    const keys = await listApiKeys(store, { accountId: user.id });
    const groups = groupsOf(user, keys, directory);
    const models = modelRows(groups, directory, nowMs).map(({ id }) => id);
    const model = models.find((id) => id === searchParams.get("model")) ?? models[0];
    const client = readClient(searchParams.get("client"));
    return page({ client, model, models, groupIds: groups.map(({ id }) => id) });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { client, model, models, groupIds } = data;
  return (
    <ConsolePage
      view={view}
      title={view.catalog.connect.title}
      place="connect"
      split
      action={<CreateKeyAction view={view} groups={groupIds} />}
    >
      <ClientPanel
        view={view}
        origin={url.origin}
        client={client}
        models={models}
        model={model}
      />
      <aside class="stack">
        <BaseUrls view={view} origin={url.origin} />
      </aside>
    </ConsolePage>
  );
});
