import { AccountPage } from "../../../components/account/AccountPage.tsx";
import { setPassword } from "../../../lib/accounts/mod.ts";
import {
  accountDone,
  type AccountPageData,
  accountPageData,
} from "../../../lib/console/account/account_page.ts";
import { defineForm } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { ownEntry } from "../../../lib/console/sign_in/own_entry.ts";
import { setupFaults } from "../../../lib/console/sign_in/password_form.ts";
import { takeProof } from "../../../lib/console/sign_in/proof_form.ts";
import { attempted, failureAnswer } from "../../../lib/console/sign_in/sign_in_answer.ts";

/** Changes the user's password; the current one is required. */
export const handler = defineForm<AccountPageData>({
  load: accountPageData,
  shownAt: () => "/console/account",

  async submit(ctx, form, { again }) {
    const { services, account: { user, session }, catalog } = ctx.state;
    const password = form.get("password") ?? "";
    const { password: fault } = setupFaults({ email: user.email, password }, catalog);
    const { problem } = catalog.security;
    if (fault) return await again({ faults: { password: fault, problem } });
    const present = new URLSearchParams({ password: form.get("current") ?? "" });
    const result = await attempted(() => takeProof(ctx, present));
    if (result.type !== "proved") {
      const current = result.type === "refused" ? catalog.security.password.wrong : undefined;
      const answer = failureAnswer(result, catalog, problem);
      const status = current === undefined ? answer.init.status : 422;
      return await again({ faults: { current, problem: answer.problem } }, {
        ...answer.init,
        status,
      });
    }
    const changes = [{ field: "password", after: "changed" }];
    const audit = ownEntry(ctx, user, { action: "changed", changes });
    await setPassword(services, user.id, { password, sessionDigest: session.digest, audit });
    return accountDone("password");
  },
});

export default accountPage<typeof handler>(({ data, view }) => (
  <AccountPage view={view} data={data} />
));
