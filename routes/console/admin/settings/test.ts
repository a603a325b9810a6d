import { HttpError } from "fresh";
import { readForm } from "../../../../lib/console/form_body.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/state.ts";

/** Tries a delivery and leads back to what came of it. It changes nothing. */
export const handler = defineForAccount.handlers({
  async POST({ req, state }) {
    const delivery = (await readForm(req)).get("delivery") ?? "";
    const result = await test(delivery, state);
    if (result === undefined) throw new HttpError(404);
    const fields = new URLSearchParams({ tested: delivery, result });
    const location = `/console/admin/settings?${fields}`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

/** `delivered`, or what went wrong; undefined where there is no such delivery. */
async function test(
  delivery: string,
  { services: { alerts, payments } }: AccountState,
): Promise<string | undefined> {
  if (delivery === "alerts") return await alerts?.test();
  if (delivery === "payments") return await payments?.check();
  return undefined;
}
