import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { rotateApiKey } from "../../../../lib/accounts/mod.ts";
import { auditEntry } from "../../../../lib/console/audit/audit.ts";
import { writeFlash } from "../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../lib/console/page/form_body.ts";
import { ownKey } from "../../../../lib/console/keys/own_key.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { accountView } from "../../../../lib/console/page/view.ts";

const hourMs = 3_600_000;

/**
 * The grace periods of the old secret, by form value; without a choice it is revoked immediately.
 */
const graces = { now: 0, "1h": hourMs, "24h": 24 * hourMs, "7d": 168 * hourMs } as const;
type Grace = keyof typeof graces;
/** Gives clients a day to switch to the new secret. */
const preselected: Grace = "24h";
const graceNames = Object.keys(graces) as Grace[]; // the table's own

/** Rotates a key's secret; the next page shows the new one once. */
export const handler = defineForAccount.handlers({
  async GET({ params, state }) {
    const { name } = await ownKey(params.id, state);
    return page({ name });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store }, account, nowMs } = state;
    const form = await readForm(req);
    const { id, name } = await ownKey(params.id, state);
    const grace = graceNames.find((one) => one === form.get("grace")) ?? "now";
    const target = { targetId: id, targetName: name };
    const changes = [{ field: "oldSecretEnds", after: grace }];
    const audit = auditEntry(ctx, { kind: "key", action: "rotated", ...target, changes });
    const rotated = await rotateApiKey(store, id, { graceMs: graces[grace], nowMs, audit });
    const headers = new Headers({ location: "/console/token" });
    const flash = rotated
      ? { type: "key-rotated", name, secret: rotated.secret } as const
      : { type: "key-gone" } as const;
    await writeFlash(headers, flash, { store, sessionDigest: account.session.digest });
    return new Response(null, { status: 303, headers });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { name }, state, url }) => {
  const view = accountView(state, url);
  const { keys, keyPage, keyForm } = view.catalog;
  return (
    <ConsolePage view={view} title={keys.title} place="keys">
      <section class="card" aria-labelledby="rotate-key">
        <form class="inside" method="post">
          <h2 id="rotate-key">{keyPage.rotateTitle(name)}</h2>
          <p>{keyPage.rotateText}</p>
          <fieldset class="field">
            <legend class="legend">{keyPage.oldEnds}</legend>
            <div class="choices">
              {graceNames.map((grace) => (
                <label>
                  <input type="radio" name="grace" value={grace} checked={grace === preselected} />
                  {keyPage.graces[grace]}
                </label>
              ))}
            </div>
          </fieldset>
          <div class="actions">
            <A class="button" href="/console/token">{keyForm.cancel}</A>
            <button class="button danger" type="submit">{keyPage.rotateConfirm(name)}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
