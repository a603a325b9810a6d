import { HttpError } from "fresh";
import { define } from "../../state.ts";

export const handler = define.handlers({
  GET: (ctx) => {
    throw ctx.url.searchParams.has("refused") ? new HttpError(403, "refused") : new Error("broken");
  },
});
