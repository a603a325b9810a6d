import { HttpError } from "fresh";
import { callFromConsole } from "../../../lib/console/playground/playground.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** Sends a playground call to `?path=` in the group `?group=` and returns the API's own answer. */
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
