import { UserPage } from "../../../../../components/users/UserPage.tsx";
import { changeFunds } from "../../../../../lib/admin/funds.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import {
  type FundsFormData,
  fundsKinds,
  userAt,
  type UserPageData,
  userPageData,
} from "../../../../../lib/console/users/user_page.ts";
import { type FundsResult, readUsd } from "../../../../../lib/funds/mod.ts";

type Entered = Required<Pick<FundsFormData, "intent" | "kind" | "amount" | "reason">>;

/** Grants a user credit, or corrects the balance. */
export const handler = defineForm<UserPageData>({
  load: async ({ params, state }) => await userPageData(await userAt(params.id, state), state),
  shownAt: ({ params }) => `/console/admin/users/${encodeURIComponent(params.id)}`,

  async submit(ctx, form, { load, again }) {
    const { params, state } = ctx;
    const user = await userAt(params.id, state);
    const entered = readEntered(form);
    const nanoUsd = readUsd(entered.amount) ?? 0n;
    const result = await changeFunds(user, { ...entered, nanoUsd }, ctx);
    if (result.type !== "posted" && result.type !== "repeated") {
      const { funds } = await load();
      return await again({ funds: { ...funds, ...entered, faults: faultsOf(result) } });
    }
    return seeOther(`/console/admin/users/${user.id}?done=funds`);
  },
});

function readEntered(form: URLSearchParams): Entered {
  return {
    kind: fundsKinds.find((one) => one === form.get("kind")) ?? "grant",
    amount: (form.get("amount") ?? "").slice(0, 40),
    reason: (form.get("reason") ?? "").trim().slice(0, 600),
    intent: (form.get("intent") ?? "").slice(0, 100) || crypto.randomUUID(),
  };
}

function faultsOf(result: FundsResult): FundsFormData["faults"] {
  if (result.type === "insufficient") return { amount: "insufficient" };
  if (result.type === "invalid" && result.field === "reason") return { reason: "reason" };
  return { amount: "amount" };
}

export default accountPage<typeof handler>(({ data, view }) => (
  <UserPage
    view={view}
    data={data}
  />
));
