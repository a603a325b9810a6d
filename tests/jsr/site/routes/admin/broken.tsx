import { HttpError } from "fresh";
import { define } from "../../state.ts";

export const handler = define.handlers({
  GET: (ctx) => {
    if (ctx.url.searchParams.has("missing")) throw new HttpError(404, "no such member");
    throw ctx.url.searchParams.has("refused") ? new HttpError(403, "refused") : new Error("broken");
  },
});
