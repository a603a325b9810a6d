import { Question } from "../../../../components/Question.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { rotateKey } from "../../../../lib/console/keys/key_changes.ts";
import { ownKey } from "../../../../lib/console/keys/own_key.ts";
import { defineForm } from "../../../../lib/console/page/define_form.ts";
import { seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

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
export const handler = defineForm<{ readonly name: string }>({
  async load({ params, state }) {
    const { name } = await ownKey(params.id, state);
    return { name };
  },

  async submit(ctx, form) {
    const { params, state } = ctx;
    const apiKey = await ownKey(params.id, state);
    const grace = graceNames.find((one) => one === form.get("grace")) ?? "now";
    const rotated = await rotateKey(ctx, apiKey, { graceMs: graces[grace], grace });
    const flash = rotated
      ? { type: "key-rotated", name: apiKey.name, secret: rotated.secret } as const
      : { type: "key-gone" } as const;
    return await seeOtherWith(flash, "/console/token", state);
  },
});

export default defineForAccount.page<typeof handler>(({ data: { name }, state, url }) => {
  const view = accountView(state, url);
  const { keys, keyPage, keyForm } = view.catalog;
  return (
    <ConsolePage view={view} title={keys.title} place="keys">
      <Question
        id="rotate-key"
        title={keyPage.rotateTitle(name)}
        text={keyPage.rotateText}
        back="/console/token"
        cancel={keyForm.cancel}
        confirm={keyPage.rotateConfirm(name)}
      >
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
      </Question>
    </ConsolePage>
  );
});
