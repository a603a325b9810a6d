import { page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { batchAt } from "../../../../../lib/console/wallet/code_batches.ts";
import { readForm } from "../../../../../lib/console/page/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { setBatchEnabled } from "../../../../../lib/funds/mod.ts";

/** Enables a batch, or disables one after confirmation. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    return page({ batch: await batchAt(params.id, state) });
  },

  async POST(ctx) {
    const { req, params, state: { services: { store }, account } } = ctx;
    const { id, name } = await batchAt(params.id, ctx.state);
    const enabled = (await readForm(req)).get("enabled") === "true";
    const action = enabled ? "enabled" : "disabled";
    const audit = auditEntry(ctx, { kind: "batch", action, targetId: id, targetName: name });
    await setBatchEnabled(store, account.user, { batchId: id, enabled, audit });
    const location = `/console/admin/codes/${id}?done=${action}`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { batch }, state, url }) => {
  const view = accountView(state, url);
  const { codes: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="codes">
      <section class="card" aria-labelledby="disable">
        <form class="inside" method="post">
          <h2 id="disable">{texts.disableTitle(batch.name)}</h2>
          <p>{texts.disableText}</p>
          <div class="actions">
            <A class="button" href={`/console/admin/codes/${batch.id}`}>{texts.cancel}</A>
            <button class="button danger" type="submit" name="enabled" value="false">
              {texts.disableConfirm(batch.name)}
            </button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
