import { page } from "fresh";
import { CreateKeyAction, CreateKeyLink } from "../../../components/keys/CreateKeyAction.tsx";
import { FreshKeyPanel } from "../../../components/keys/FreshKeyPanel.tsx";
import { KeyPanel } from "../../../components/keys/KeyPanel.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import DeleteKey from "../../../islands/DeleteKey.tsx";
import Notice from "../../../islands/Notice.tsx";
import { readFreshKey } from "../../../lib/console/connect/fresh_key.ts";
import { groupsOf } from "../../../lib/console/groups/account_groups.ts";
import type { Catalog } from "../../../lib/console/i18n/mod.ts";
import { keyList, readKeyList } from "../../../lib/console/keys/key_list.ts";
import { listHref, readQuery } from "../../../lib/console/page/define_list.ts";
import { type Flash, takeFlash } from "../../../lib/console/page/flash.ts";
import { tryLoad } from "../../../lib/console/page/try_load.ts";
import { accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

export const handler = defineForAccount.handlers({
  async GET({ req, url, state }) {
    const { services: { directory }, account } = state;
    const headers = new Headers();
    const flash = await takeFlash(req, headers, state);
    const query = readQuery(keyList, url.searchParams);
    const list = await tryLoad(readKeyList(state, query));
    const groupIds = groupsOf(account.user, list?.keys ?? [], directory).map(({ id }) => id);
    const fresh = flash && "secret" in flash
      ? await readFreshKey(flash.name, state, req.headers)
      : undefined;
    return page({ flash, fresh, query, list, groupIds }, { headers });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { catalog } = view;
  const { flash, fresh, query, list, groupIds } = data;
  return (
    <ConsolePage
      view={view}
      title={catalog.keys.title}
      place="keys"
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
      {flash && (
        <FlashPanel flash={flash} catalog={catalog} back={listHref(keyList, query, query)} />
      )}
      <KeyPanel view={view} query={query} page={list} />
      <DeleteKey text={catalog.deleteKey.text} cancel={catalog.deleteKey.cancel} />
    </ConsolePage>
  );
});

function titleOf(
  { type, name }: Extract<Flash, { readonly secret: string }>,
  { keyPage, secretReady }: Catalog,
): string {
  return type === "key-created" ? secretReady(name) : keyPage.rotated(name);
}

function FlashPanel(
  { flash, catalog, back }: { flash: Flash; catalog: Catalog; back: string },
) {
  const { keys, keyList, keyPage } = catalog;
  switch (flash.type) {
    case "key-created":
    case "key-rotated":
      return null;
    case "key-enabled":
      return <Notice text={keys.enabled(flash.name)} />;
    case "key-disabled":
      return (
        <form class="undo" method="post" action={`/console/token/${flash.id}/enabled`}>
          <Notice text={keys.disabled(flash.name)} />
          <input type="hidden" name="back" value={back} />
          <button class="button small" type="submit" name="enabled" value="true">
            {keyList.undo}
          </button>
        </form>
      );
    case "keys-disabled":
      return <Notice text={keyList.bulkDisabled(flash.count)} />;
    case "keys-enabled":
      return <Notice text={keyList.bulkEnabled(flash.count)} />;
    case "keys-deleted":
      return <Notice text={keyList.bulkDeleted(flash.count)} />;
    case "keys-none":
      return <Notice text={keyList.bulkNone} />;
    case "delivery-tested":
    case "view-saved":
    case "view-deleted":
    case "view-nameless":
    case "views-full":
    case "webhook-secret":
    case "webhook-tested":
      return null;
    case "key-deleted":
      return <Notice text={keys.deleted(flash.name)} />;
    case "key-changed":
      return <Notice text={keyPage.changed(flash.name)} />;
    case "key-gone":
      return <Notice text={keys.gone} />;
    default:
      return flash satisfies never;
  }
}
