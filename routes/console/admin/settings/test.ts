import { HttpError } from "fresh";
import { writeFlash } from "../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../lib/console/page/form_body.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/session/state.ts";

/** Tries a delivery and leads back to what came of it, which is told once. It changes nothing. */
export const handler = defineForAccount.handlers({
  async POST({ req, state }) {
    const delivery = (await readForm(req)).get("delivery") ?? "";
    const result = await test(delivery, state);
    if (result === undefined) throw new HttpError(404);
    const headers = new Headers({ location: "/console/admin/settings" });
    await writeFlash(headers, { type: "delivery-tested", delivery, result }, {
      store: state.services.store,
      sessionDigest: state.account.session.digest,
    });
    return new Response(null, { status: 303, headers });
  },
});

/** `delivered`, or the error; undefined for an unknown delivery. */
async function test(
  delivery: string,
  { services: { alerts, payments } }: AccountState,
): Promise<string | undefined> {
  if (delivery === "alerts") return await alerts?.test();
  if (delivery === "payments") return await payments?.check();
  return undefined;
}
