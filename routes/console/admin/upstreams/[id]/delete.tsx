import { page } from "fresh";
import { ConsolePage } from "../../../../../components/ConsolePage.tsx";
import { auditEntry } from "../../../../../lib/console/audit.ts";
import { defineForAccount } from "../../../../../lib/console/state.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstream_page.ts";
import { accountView } from "../../../../../lib/console/view.ts";
import { deleteUpstream } from "../../../../../lib/store/mod.ts";

/** Asks before an upstream is deleted, and deletes it. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const { id, models, groups } = await ownUpstreamAt(params.id, state);
    return page({ id, models: models.length, groups });
  },

  async POST(ctx) {
    const { params, state } = ctx;
    const { id } = await ownUpstreamAt(params.id, state);
    const facts = { kind: "upstream", action: "deleted", targetId: id, targetName: id } as const;
    await deleteUpstream(state.services.store, id, { audit: auditEntry(ctx, facts) });
    const location = "/console/admin/upstreams?done=deleted";
    return new Response(null, { status: 303, headers: { location } });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { upstreams: texts } = view.catalog;
  const groups = data.groups.includes("*") ? texts.allGroups : data.groups.join(", ");
  return (
    <ConsolePage view={view} title={texts.title} place="upstreams">
      <section class="card" aria-labelledby="delete">
        <form class="inside" method="post">
          <h2 id="delete">{texts.removeTitle(data.id)}</h2>
          <p>{texts.removeText(data.models, groups)}</p>
          <div class="actions">
            <a class="button" href={`/console/admin/upstreams/${data.id}`} aria-current="false">
              {texts.cancel}
            </a>
            <button class="button danger" type="submit">{texts.removeConfirm(data.id)}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
