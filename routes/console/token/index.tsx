import { page } from "fresh";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { CreateKeyAction } from "../../../components/CreateKeyAction.tsx";
import { KeyPanel } from "../../../components/KeyPanel.tsx";
import { SecretPanel } from "../../../components/SecretPanel.tsx";
import DeleteKey from "../../../islands/DeleteKey.tsx";
import Notice from "../../../islands/Notice.tsx";
import { groupsOf } from "../../../lib/console/account_groups.ts";
import { type Flash, takeFlash } from "../../../lib/console/flash.ts";
import type { Catalog } from "../../../lib/console/i18n/mod.ts";
import { keyRows, readKeyQuery } from "../../../lib/console/key_rows.ts";
import { loaded } from "../../../lib/console/loaded.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";
import { listApiKeys } from "../../../lib/store/mod.ts";

export const handler = defineForAccount.handlers({
  async GET({ req, url, state: { services: { store, directory }, account, nowMs } }) {
    const headers = new Headers();
    const flash = await takeFlash(req, headers, {
      store,
      sessionDigest: account.session.digest,
    });
    const keys = await loaded(listApiKeys(store, { accountId: account.user.id }));
    const query = readKeyQuery(url.searchParams);
    const rows = keys && keyRows(keys, query, { groups: directory.groups(), nowMs });
    const groupIds = groupsOf(account.user, keys ?? [], directory).map(({ id }) => id);
    return page({ flash, query, rows, total: keys?.length ?? 0, groupIds }, { headers });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { catalog } = view;
  const { flash, query, rows, total, groupIds } = data;
  return (
    <ConsolePage
      view={view}
      title={catalog.keys.title}
      place="keys"
      action={<CreateKeyAction view={view} groups={groupIds} />}
    >
      {flash && <FlashPanel flash={flash} catalog={catalog} />}
      <KeyPanel view={view} query={query} rows={rows} total={total} />
      <DeleteKey text={catalog.deleteKey.text} cancel={catalog.deleteKey.cancel} />
    </ConsolePage>
  );
});

function FlashPanel({ flash, catalog }: { flash: Flash; catalog: Catalog }) {
  const { keys, keyPage, secret, copy, secretReady } = catalog;
  switch (flash.type) {
    case "key-created":
    case "key-rotated":
      return (
        <section class="card" aria-labelledby="created">
          <div class="inside">
            <h2 id="created">
              {flash.type === "key-created" ? secretReady(flash.name) : keyPage.rotated(flash.name)}
            </h2>
            <SecretPanel secret={flash.secret} texts={secret} copyTexts={copy} />
            <a class="button primary" href="/console/token" aria-current="false">{secret.stored}</a>
          </div>
        </section>
      );
    case "key-enabled":
      return <Notice text={keys.enabled(flash.name)} />;
    case "key-disabled":
      return <Notice text={keys.disabled(flash.name)} />;
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
