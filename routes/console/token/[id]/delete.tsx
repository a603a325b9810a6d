import { type QuestionData, QuestionPage } from "../../../../components/layout/QuestionPage.tsx";
import { removeKey } from "../../../../lib/admin/keys/key_changes.ts";
import { changeableKey } from "../../../../lib/console/keys/own_key.ts";
import { seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { formatsFor } from "../../../../lib/console/page/format.ts";
import { tryLoad } from "../../../../lib/console/page/reading.ts";
import type { AccountState } from "../../../../lib/console/session/state.ts";
import type { ApiKey } from "../../../../lib/store/api_keys/mod.ts";
import { countRequestLogs } from "../../../../lib/store/log/mod.ts";

const hourMs = 3_600_000;
/** The highest exact count of the last hour's calls; above it the page shows "or more". */
const countedMax = 1_000;

/** Deletes a key after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const apiKey = await changeableKey(params.id, state);
    const { name } = apiKey;
    const { keys, deleteKey: texts } = state.catalog;
    return {
      page: keys.title,
      place: "keys",
      id: "delete-key",
      title: texts.title(name),
      text: texts.text,
      more: await lastHourInWords(apiKey, state),
      back: "/console/token",
      cancel: texts.cancel,
      confirm: texts.confirm(name),
    };
  },

  async submit(ctx) {
    const { params, state } = ctx;
    const apiKey = await changeableKey(params.id, state);
    const { name } = apiKey;
    const deleted = await removeKey(ctx, apiKey);
    const flash = deleted ? { type: "key-deleted", name } as const : { type: "key-gone" } as const;
    return await seeOtherWith(flash, "/console/token", state);
  },
});

async function lastHourInWords(
  { id: keyId, accountId }: ApiKey,
  state: AccountState,
): Promise<string | undefined> {
  const { services: { store }, nowMs, catalog: { keyList } } = state;
  const filter = { accountId, keyId, fromMs: nowMs - hourMs };
  const { count = 0, more } = await tryLoad(countRequestLogs(store, filter, countedMax)) ?? {};
  if (count === 0) return undefined;
  return keyList.lastHour(`${formatsFor(state).count(count)}${more ? "+" : ""}`);
}

export default QuestionPage;
