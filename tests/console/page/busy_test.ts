import { assert, assertEquals } from "@std/assert";
import { issueInvitation, issuePasswordLink, Passwords } from "../../../lib/accounts/mod.ts";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";

/** A password hasher that refuses everything, as during a flood of sign-ins. */
class Flooded extends Passwords {
  override hash(): Promise<string> {
    return Promise.reject(new GatewayError("rate_limit_exceeded", "too many at once"));
  }
}

testConsole(
  "an invited user is asked to try again while too many passwords wait",
  async (console) => {
    const { store } = console;
    const draft = { email: "new@example.com", role: "member", spending: "prepaid" } as const;
    const issued = await issueInvitation(store, administrator, draft, { nowMs });
    assert(issued.type === "issued");
    const link = await issuePasswordLink(
      store,
      { user: member, createdBy: administrator.id },
      nowMs,
    );
    const services = adminServices();
    assert(services);
    provideAdmin({ ...services, passwords: new Flooded() });
    for (const path of [`/invitation/${issued.token}`, `/password/${link}`]) {
      const answer = await console.browser().post(path, { password: "correct horse battery" });
      assertEquals(answer.status, 429);
      assert(textOf(answer.html).includes("Try again shortly."));
      assertEquals((await console.browser().get(path)).status, 200, "the link still holds");
    }
  },
);
