import { page } from "fresh";
import { BulkQuestion, type BulkQuestionData } from "../../../components/keys/KeyBulk.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { usdText } from "../../../lib/canonical/mod.ts";
import {
  type BulkAction,
  bulkActions,
  chosenKeys,
  limitBefore,
  type LimitFault,
  limitKeys,
  readLimit,
  removeKeys,
  rotateKeys,
  setKeysEnabled,
} from "../../../lib/console/keys/key_bulk.ts";
import { graceIn } from "../../../lib/console/keys/key_rotation.ts";
import { localPath, seeOther } from "../../../lib/console/page/address.ts";
import { type Flash, seeOtherWith } from "../../../lib/console/page/flash.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { keepShownOnce } from "../../../lib/console/page/shown_once.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { defineForAccount, type PageAuditContext } from "../../../lib/console/session/state.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";

const keysPath = "/console/token";
const asked: readonly BulkAction[] = ["rotate", "limit", "delete"];

/** A form with its selected keys. */
interface Bulk {
  readonly form: URLSearchParams;
  readonly keys: readonly ApiKey[];
  readonly back: string;
}

/** Changes several keys of the list; asks first where it takes a choice or cannot be undone. */
export const handler = defineForAccount.handlers({
  GET: () => seeOther(keysPath),

  async POST(ctx) {
    const { req, state } = ctx;
    const form = await readForm(req);
    const back = localPath(form.get("back"), keysPath);
    const action = bulkActions.find((one) => one === form.get("action"));
    const keys = await chosenKeys(state, form, back);
    if (!action || keys.length === 0) return await seeOtherWith({ type: "keys-none" }, back, state);
    const question = { action, back, keys: keys.map(({ id, name }) => ({ id, name })) };
    if (asked.includes(action) && form.get("sure") !== "yes") {
      return page<BulkQuestionData>(question);
    }
    if (action === "rotate") return await rotate(ctx, { form, keys, back });
    const done = await changes[action](ctx, { form, keys, back });
    if (typeof done !== "string") return await seeOtherWith(done, back, state);
    const [amount, length] = ["amount", "length"].map((name) =>
      (form.get(name) ?? "").slice(0, 40)
    );
    const limit = { amount, length, fault: done };
    return page<BulkQuestionData>({ ...question, limit }, { status: 422 });
  },
});

type Change = (ctx: PageAuditContext, bulk: Bulk) => Promise<Flash | LimitFault>;

const changes: Readonly<Record<Exclude<BulkAction, "rotate">, Change>> = {
  async disable(ctx, { keys }) {
    const { count, ids } = await setKeysEnabled(ctx, keys, false);
    return count > 0 ? { type: "keys-disabled", count, ids } : { type: "keys-none" };
  },
  async enable(ctx, { keys }) {
    const { count } = await setKeysEnabled(ctx, keys, true);
    return count > 0 ? { type: "keys-enabled", count } : { type: "keys-none" };
  },
  async delete(ctx, { keys }) {
    return { type: "keys-deleted", count: await removeKeys(ctx, keys) };
  },
  async limit(ctx, { form, keys }) {
    const limit = readLimit(form);
    if (typeof limit === "string") return limit;
    const before = limitBefore(keys, limit.period);
    const ids = await limitKeys(ctx, keys, limit);
    if (before === undefined) return { type: "keys-limited", count: ids.length };
    const amount = before.nanoUsd === undefined ? "" : usdText(before.nanoUsd).replace("$", "");
    const undo = { ids, period: limit.period, amount };
    return { type: "keys-limited", count: ids.length, undo };
  },
};

/** The next page shows the new secrets once. */
async function rotate(ctx: PageAuditContext, { form, keys }: Bulk): Promise<Response> {
  const rotated = await rotateKeys(ctx, keys, graceIn(form));
  const once = await keepShownOnce(JSON.stringify(rotated), ctx.state);
  return seeOther(`/console/token/rotated?once=${once}`);
}

export default accountPage<typeof handler>(({ data, view }) => {
  return (
    <ConsolePage view={view} title={view.catalog.keys.title} place="keys">
      <BulkQuestion view={view} data={data} />
    </ConsolePage>
  );
});
