import { page } from "fresh";
import { type FundsFormData, fundsKinds } from "../../../../../components/FundsForm.tsx";
import { UserPage, type UserPageData } from "../../../../../components/UserPage.tsx";
import { usdText } from "../../../../../lib/canonical/mod.ts";
import { audit } from "../../../../../lib/console/audit.ts";
import { readForm } from "../../../../../lib/console/form_body.ts";
import { type AccountState, defineForAccount } from "../../../../../lib/console/state.ts";
import { userAt, userPageData } from "../../../../../lib/console/user_page.ts";
import { accountView } from "../../../../../lib/console/view.ts";
import {
  adjustFunds,
  type FundsResult,
  grantFunds,
  readUsd,
} from "../../../../../lib/funds/mod.ts";
import type { User } from "../../../../../lib/store/mod.ts";

type Entered = Required<Pick<FundsFormData, "intent" | "kind" | "amount" | "reason">>;

/** Gives a user money, or corrects the balance. */
export const handler = defineForAccount.handlers({
  GET: ({ params }) =>
    new Response(null, {
      status: 303,
      headers: { location: `/console/admin/users/${encodeURIComponent(params.id)}` },
    }),

  async POST(ctx) {
    const { req, params, state } = ctx;
    const user = await userAt(params.id, state);
    const entered = readEntered(await readForm(req));
    const result = await changeFunds(user, entered, state);
    if (result.type !== "posted" && result.type !== "repeated") {
      const data = await userPageData(user, state);
      const funds = { ...data.funds, ...entered, faults: faultsOf(result, state) };
      return page<UserPageData>({ ...data, funds }, { status: 422 });
    }
    if (result.type === "posted") {
      const { kind, reason } = entered;
      const action = kind === "grant" ? "granted" : "adjusted";
      const sign = kind === "take" ? "-" : "+";
      const changes = [{ field: "amount", after: sign + usdText(result.entry.amountNanoUsd) }];
      const target = { targetId: user.id, targetName: user.email };
      await audit(ctx, { kind: "funds", action, ...target, changes, reason });
    }
    const location = `/console/admin/users/${user.id}?done=funds`;
    return new Response(null, { status: 303, headers: { location } });
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

async function changeFunds(
  user: User,
  { kind, amount, reason, intent }: Entered,
  { services: { store }, account, nowMs }: AccountState,
): Promise<FundsResult> {
  const nanoUsd = readUsd(amount) ?? 0n;
  const draft = {
    administrator: account.user,
    accountId: user.id,
    changeNanoUsd: kind === "take" ? -nanoUsd : nanoUsd,
    reason,
    idempotencyKey: `${user.id}:${intent}`,
  };
  return await (kind === "grant" ? grantFunds : adjustFunds)(store, draft, nowMs);
}

function faultsOf(result: FundsResult, { catalog }: AccountState): FundsFormData["faults"] {
  const { fault } = catalog.users;
  if (result.type === "insufficient") return { amount: fault.insufficient };
  if (result.type === "invalid" && result.field === "reason") return { reason: fault.reason };
  return { amount: fault.amount };
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <UserPage view={accountView(state, url)} data={data} />
));
