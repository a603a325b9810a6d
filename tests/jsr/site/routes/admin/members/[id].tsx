import { HttpError, page } from "fresh";
import { define } from "../../../state.ts";

export const handler = define.handlers({
  GET: (ctx) => page({ id: ctx.params.id, saved: "" }),
  POST: async (ctx) => {
    const form = await ctx.req.formData();
    const name = form.get("name");
    if (typeof name !== "string") throw new HttpError(400, "name is missing");
    return page({ id: ctx.params.id, saved: name }, { status: 422, headers: { "x-saved": name } });
  },
});

export default define.page<typeof handler>(({ data }) => (
  <h1>
    member {data.id}
    {data.saved}
  </h1>
));
