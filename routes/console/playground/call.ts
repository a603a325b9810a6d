import { HttpError } from "fresh";
import { callFromConsole } from "../../../lib/console/playground/playground.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** A call of the playground, to `?path=` in the group `?group=`: the API's own answer, as it comes. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const { req, url: { searchParams } } = ctx;
    if (!req.headers.get("content-type")?.startsWith("application/json")) throw new HttpError(415);
    return await callFromConsole(ctx, {
      path: searchParams.get("path") ?? "",
      groupId: searchParams.get("group") ?? "",
      body: req.body,
    });
  },
});
