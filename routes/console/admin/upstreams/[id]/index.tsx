import {
  UpstreamPage,
  type UpstreamPageData,
} from "../../../../../components/upstreams/UpstreamPage.tsx";
import { changesBetween } from "../../../../../lib/admin/audit.ts";
import {
  auditedUpstream,
  changeUpstream,
} from "../../../../../lib/admin/upstreams/upstream_changes.ts";
import {
  readUpstreamForm,
  upstreamOf,
  upstreamValues,
} from "../../../../../lib/admin/upstreams/upstream_form.ts";
import { upstreamServices } from "../../../../../lib/admin/upstreams/upstream_state.ts";
import { doneIn, seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm, listFormBytesMax } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { readUpstreamDetail } from "../../../../../lib/console/upstreams/upstream_detail.ts";
import { ownUpstreamAt, upstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";

/** One upstream, with a form to change it unless the configuration declares it. */
export const handler = defineForm<UpstreamPageData>({
  async load({ params, url, state }) {
    const upstream = await upstreamAt(params.id, state);
    return {
      detail: await readUpstreamDetail(upstream, state, url.searchParams),
      values: upstreamValues(upstream),
      hasKeyFault: url.searchParams.get("fault") === "keys",
    };
  },
  showsFlash: ({ searchParams }) => searchParams.get("done") === "disabled",
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

export default accountPage<typeof handler>(({ data, url, view }) => {
  const done = doneIn(url, view.catalog.upstreams.done);
  return <UpstreamPage view={view} data={data} done={done} />;
});
