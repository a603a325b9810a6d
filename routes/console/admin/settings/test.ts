import { HttpError } from "fresh";
import { seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/session/state.ts";

/**
 * Tests a delivery channel and redirects to the result, which is shown once. Changes no setting.
 */
export const handler = defineForAccount.handlers({
  async POST({ req, state }) {
    const delivery = (await readForm(req)).get("delivery") ?? "";
    const result = await test(delivery, state);
    if (result === undefined) throw new HttpError(404);
    const flash = { type: "delivery-tested", delivery, result } as const;
    return await seeOtherWith(flash, "/console/admin/settings", state);
  },
});

/** Returns `delivered` or the error, or undefined for an unknown channel. */
async function test(
  delivery: string,
  { services: { alerts, payments } }: AccountState,
): Promise<string | undefined> {
  if (delivery === "alerts") return await alerts?.test();
  if (delivery === "payments") return await payments?.check();
  return undefined;
}
