import { page } from "fresh";
import { CreateKeyAction, CreateKeyLink } from "../../../components/keys/CreateKeyAction.tsx";
import { FreshKeyPanel } from "../../../components/keys/FreshKey.tsx";
import { KeyFlash } from "../../../components/keys/KeyFlash.tsx";
import { KeyPanel } from "../../../components/keys/KeyPanel.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import DeleteKey from "../../../islands/DeleteKey.tsx";
import { readFreshKey } from "../../../lib/console/connect/fresh_key.ts";
import { ownGroupIds } from "../../../lib/console/groups/account_groups.ts";
import type { Catalog } from "../../../lib/console/i18n/mod.ts";
import { keyList, readKeyList } from "../../../lib/console/keys/key_list.ts";
import { listHref, readQuery } from "../../../lib/console/page/define_list.ts";
import { type Flash, takeFlash } from "../../../lib/console/page/flash.ts";
import { tryLoad } from "../../../lib/console/page/reading.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { readWho } from "../../../lib/console/page/who.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** The keys of the account or, for administrators, of everyone. */
export const handler = defineForAccount.handlers({
  async GET({ req, url, state }) {
    const headers = new Headers();
    const flash = await takeFlash(req, headers, state);
    const query = readQuery(keyList, url.searchParams);
    const who = readWho(url.searchParams, state);
    const [list, groupIds] = await Promise.all([
      tryLoad(readKeyList(state, query, who)),
      tryLoad(ownGroupIds(state)),
    ]);
    const fresh = flash && "secret" in flash && flash.id === undefined
      ? await readFreshKey(flash.name, state, req.headers)
      : undefined;
    return page({ flash, fresh, query, who, list, groupIds: groupIds ?? [] }, { headers });
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { catalog } = view;
  const { flash, fresh, query, who, list, groupIds } = data;
  return (
    <ConsolePage
      view={view}
      title={catalog.keys.title}
      place="keys"
      who={who}
      action={fresh
        ? <CreateKeyLink view={view} />
        : <CreateKeyAction view={view} groups={groupIds} />}
    >
      {flash && "secret" in flash && (
        <FreshKeyPanel
          view={view}
          title={titleOf(flash, catalog)}
          secret={flash.secret}
          fresh={fresh}
          origin={url.origin}
        />
      )}
      <KeyFlash view={view} flash={flash} back={listHref(keyList, query, query)} />
      <KeyPanel view={view} query={query} page={list} who={who} />
      {view.opens("/console/token/bulk") && (
        <DeleteKey text={catalog.deleteKey.text} cancel={catalog.deleteKey.cancel} />
      )}
    </ConsolePage>
  );
});

function titleOf(
  { type, name }: Extract<Flash, { readonly secret: string }>,
  { keyPage, secretReady }: Catalog,
): string {
  return type === "key-created" ? secretReady(name) : keyPage.rotated(name);
}
