import { GraceChoice } from "../../../../components/keys/KeyBulk.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { Question } from "../../../../components/layout/QuestionPage.tsx";
import { rotateKey } from "../../../../lib/admin/keys/key_changes.ts";
import {
  graceIn,
  readUsedLately,
  type UsedLately,
} from "../../../../lib/console/keys/key_rotation.ts";
import { rotatableKey } from "../../../../lib/console/keys/own_key.ts";
import { seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage, type AccountView } from "../../../../lib/console/page/view.ts";
import type { ApiKey } from "../../../../lib/store/api_keys/mod.ts";

interface RotatedKey extends Pick<ApiKey, "id" | "name"> {
  readonly used: UsedLately | undefined;
}

/** Rotates a key's secret; the next page shows the new one once. */
export const handler = defineForm<RotatedKey>({
  async load({ params, state }) {
    const { id, name } = await rotatableKey(params.id, state);
    return { id, name, used: await readUsedLately(state, { id }) };
  },

  async submit(ctx, form) {
    const { params, state } = ctx;
    const apiKey = await rotatableKey(params.id, state);
    const { id, name, accountId } = apiKey;
    const rotated = await rotateKey(ctx, apiKey, graceIn(form));
    const isOwn = accountId === state.account.user.id;
    const flash = rotated
      ? { type: "key-rotated", name, secret: rotated.secret, ...(!isOwn && { id }) } as const
      : { type: "key-gone" } as const;
    return await seeOtherWith(flash, "/console/token", state);
  },
});

export default accountPage<typeof handler>(({ data: { id, name, used }, view }) => {
  const { keys, keyPage, keyForm } = view.catalog;
  return (
    <ConsolePage view={view} title={keys.title} place="keys">
      <Question
        id="rotate-key"
        title={keyPage.rotateTitle(name)}
        text={keyPage.rotateText}
        back={`/console/token/${id}`}
        cancel={keyForm.cancel}
        confirm={keyPage.rotateConfirm(name)}
        tone="primary"
      >
        <GraceChoice view={view} />
        {used && <p class="hint">{lateUse(view, used)}</p>}
      </Question>
    </ConsolePage>
  );
});

/** Says whether a program still uses the secret. */
function lateUse({ catalog: { keyPage, logPage }, formats }: AccountView, used: UsedLately) {
  if (used.calls === 0) return keyPage.unusedLately;
  const count = formats.count(used.calls);
  const calls = logPage.calls(used.hasMore ? keyPage.orMore(count) : count);
  return keyPage.usedLately(calls, used.from.join(", "));
}
