import { page } from "fresh";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { auditEntry } from "../../../../lib/console/audit.ts";
import { writeFlash } from "../../../../lib/console/flash.ts";
import { ownKey } from "../../../../lib/console/own_key.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import { accountView } from "../../../../lib/console/view.ts";
import { deleteApiKey } from "../../../../lib/store/mod.ts";

/** Asks before a key is deleted, and deletes it. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const { name } = await ownKey(params.id, state);
    return page({ name });
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
          <div class="actions">
            <a class="button" href="/console/token" aria-current="false">{deleteKey.cancel}</a>
            <button class="button danger" type="submit">{deleteKey.confirm(data.name)}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
