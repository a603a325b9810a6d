import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { auditEntry } from "../../../../lib/console/audit/audit.ts";
import { writeFlash } from "../../../../lib/console/page/flash.ts";
import { ownKey } from "../../../../lib/console/keys/own_key.ts";
import { tryLoad } from "../../../../lib/console/page/try_load.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/session/state.ts";
import { type AccountView, accountView } from "../../../../lib/console/page/view.ts";
import { deleteApiKey } from "../../../../lib/store/api_keys/mod.ts";
import { countRequestLogs } from "../../../../lib/store/log/mod.ts";

const hourMs = 3_600_000;
/** The highest exact count of the last hour's calls; above it the page shows "or more". */
const countedMax = 1_000;

/** Deletes a key after confirmation. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const { id, name } = await ownKey(params.id, state);
    return page({ name, lastHour: await tryLoad(callsOfLastHour(state, id)) });
  },

  async POST(ctx) {
    const { params, state } = ctx;
    const { services: { store }, account } = state;
    const { id, name } = await ownKey(params.id, state);
    const facts = { kind: "key", action: "deleted", targetId: id, targetName: name } as const;
    const deleted = await deleteApiKey(store, id, { audit: auditEntry(ctx, facts) });
    const headers = new Headers({ location: "/console/token" });
    await writeFlash(
      headers,
      deleted ? { type: "key-deleted", name } : { type: "key-gone" },
      { store, sessionDigest: account.session.digest },
    );
    return new Response(null, { status: 303, headers });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { deleteKey } = view.catalog;
  return (
    <ConsolePage view={view} title={view.catalog.keys.title} place="keys">
      <section class="card" aria-labelledby="delete-key">
        <form class="inside" method="post">
          <h2 id="delete-key">{deleteKey.title(data.name)}</h2>
          <p>{deleteKey.text}</p>
          {data.lastHour && data.lastHour.count > 0 && <p>{inWords(data.lastHour, view)}</p>}
          <div class="actions">
            <A class="button" href="/console/token">{deleteKey.cancel}</A>
            <button class="button danger" type="submit">{deleteKey.confirm(data.name)}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});

function callsOfLastHour({ services: { store }, account, nowMs }: AccountState, keyId: string) {
  const filter = { accountId: account.user.id, keyId, fromMs: nowMs - hourMs };
  return countRequestLogs(store, filter, countedMax);
}

function inWords(
  { count, more }: { readonly count: number; readonly more: boolean },
  { catalog: { keyList }, formats }: AccountView,
): string {
  return keyList.lastHour(`${formats.count(count)}${more ? "+" : ""}`);
}
