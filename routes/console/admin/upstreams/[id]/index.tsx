import { page } from "fresh";
import {
  UpstreamPage,
  type UpstreamPageData,
} from "../../../../../components/upstreams/UpstreamPage.tsx";
import {
  auditChanges,
  type AuditWords,
  changesBetween,
} from "../../../../../lib/console/audit/audit.ts";
import { listFormBytesMax, readForm } from "../../../../../lib/console/page/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import {
  readUpstreamForm,
  upstreamOf,
  upstreamValues,
} from "../../../../../lib/console/upstreams/upstream_form.ts";
import {
  auditedUpstream,
  ownUpstreamAt,
  upstreamAt,
  upstreamServices,
} from "../../../../../lib/console/upstreams/upstream_page.ts";
import { upstreamRow } from "../../../../../lib/console/upstreams/upstream_list.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { updateUpstream, type UpstreamRecord } from "../../../../../lib/store/catalog/mod.ts";

/** One upstream, with a form to change it unless the configuration declares it. */
export const handler = defineForAccount.handlers({
  async GET({ params, url, state }) {
    const upstream = await upstreamAt(params.id, state);
    const { done } = state.catalog.upstreams;
    const known = Object.keys(done) as (keyof typeof done)[]; // its own keys
    return page<UpstreamPageData>({
      row: upstreamRow(upstream, state),
      values: upstreamValues(upstream),
      done: known.find((one) => one === url.searchParams.get("done")),
      hasKeyFault: url.searchParams.get("fault") === "keys",
    });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store, directory }, catalog } = state;
    const current = await ownUpstreamAt(params.id, state);
    const posted = await readForm(req, listFormBytesMax);
    const values = { ...readUpstreamForm(posted), credentials: "" };
    const groupIds = directory.groups().map(({ id }) => id);
    const rule = upstreamServices(state).addresses;
    const result = await upstreamOf(values, { current, groupIds, rule, catalog });
    if (result.type === "invalid") {
      const data = { row: upstreamRow(current, state), values, faults: result.faults };
      return page<UpstreamPageData>(data, { status: 422 });
    }
    const { endpoints, models, groups, priority, weight, ...rest } = result.upstream;
    const { auth, messagesVersion, automaticCaching, timeouts } = rest;
    const { id } = current;
    const facts = { kind: "upstream", action: "changed", targetId: id, targetName: id } as const;
    const change = (
      { auth: _, messagesVersion: __, automaticCaching: ___, ...stored }: UpstreamRecord,
    ) => ({
      ...stored,
      ...{ endpoints, models, groups, priority, weight, timeouts },
      ...(auth && { auth }),
      ...(messagesVersion !== undefined && { messagesVersion }),
      ...(automaticCaching !== undefined && { automaticCaching }),
    });
    const audit = auditChanges(ctx, facts, auditedUpstream);
    const saved = await updateUpstream(store, id, change, { audit });
    const isChanged = saved && !equal(auditedUpstream(saved), auditedUpstream(current));
    const location = `/console/admin/upstreams/${id}?done=${isChanged ? "saved" : "unchanged"}`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

function equal(one: AuditWords, other: AuditWords): boolean {
  return changesBetween(one, other).length === 0;
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <UpstreamPage view={accountView(state, url)} data={data} />
));
