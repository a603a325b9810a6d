import { type Context, page } from "fresh";
import {
  UpstreamPage,
  type UpstreamPageData,
} from "../../../../../components/upstreams/UpstreamPage.tsx";
import { changesBetween } from "../../../../../lib/admin/audit.ts";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { doneIn } from "../../../../../lib/console/page/done_in.ts";
import { listFormBytesMax } from "../../../../../lib/console/page/form_body.ts";
import { takeFlash } from "../../../../../lib/console/page/flash.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../../../lib/console/session/state.ts";
import {
  auditedUpstream,
  changeUpstream,
} from "../../../../../lib/admin/upstreams/upstream_changes.ts";
import { readUpstreamDetail } from "../../../../../lib/console/upstreams/upstream_detail.ts";
import {
  readUpstreamForm,
  upstreamOf,
  upstreamValues,
} from "../../../../../lib/admin/upstreams/upstream_form.ts";
import { upstreamServices } from "../../../../../lib/admin/upstreams/upstream_state.ts";
import { ownUpstreamAt, upstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";

async function load({ params, url, state }: Context<AccountState>): Promise<UpstreamPageData> {
  const upstream = await upstreamAt(params.id, state);
  return {
    detail: await readUpstreamDetail(upstream, state, url.searchParams),
    values: upstreamValues(upstream),
    hasKeyFault: url.searchParams.get("fault") === "keys",
  };
}

/** One upstream, with a form to change it unless the configuration declares it. */
const form = defineForm<UpstreamPageData>({
  load,
  bytesMax: listFormBytesMax,

  async submit(ctx, form, { again }) {
    const { params, state, state: { services: { directory } } } = ctx;
    const current = await ownUpstreamAt(params.id, state);
    const values = { ...readUpstreamForm(form), credentials: "" };
    const groupIds = directory.groups().map(({ id }) => id);
    const rule = upstreamServices(state).addresses;
    const result = await upstreamOf(values, { current, groupIds, rule });
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const { id } = current;
    const saved = await changeUpstream(id, result.upstream, ctx);
    const [before, after] = [current, saved ?? current].map(auditedUpstream);
    const isChanged = changesBetween(before, after).length > 0;
    return seeOther(`/console/admin/upstreams/${id}?done=${isChanged ? "saved" : "unchanged"}`);
  },
});

export const handler = {
  ...form,

  async GET(ctx: Context<AccountState>) {
    if (ctx.url.searchParams.get("done") !== "disabled") return page(await load(ctx));
    const headers = new Headers();
    const flash = await takeFlash(ctx.req, headers, ctx.state);
    return page<UpstreamPageData>({ ...await load(ctx), flash }, { headers });
  },
};

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const done = doneIn(url, view.catalog.upstreams.done);
  return <UpstreamPage view={view} data={data} done={done} />;
});
