import { page } from "fresh";
import { UpstreamPage, type UpstreamPageData } from "../../../../../components/UpstreamPage.tsx";
import { auditEntry, changesBetween } from "../../../../../lib/console/audit.ts";
import { readForm } from "../../../../../lib/console/form_body.ts";
import { defineForAccount } from "../../../../../lib/console/state.ts";
import {
  readUpstreamForm,
  upstreamOf,
  upstreamValues,
} from "../../../../../lib/console/upstream_form.ts";
import {
  healthOf,
  ownUpstreamAt,
  upstreamAt,
  upstreamServices,
  upstreamWords,
} from "../../../../../lib/console/upstream_page.ts";
import { accountView } from "../../../../../lib/console/view.ts";
import {
  type AuditChange,
  updateUpstream,
  type UpstreamRecord,
} from "../../../../../lib/store/mod.ts";

/** One upstream; a form changes it where the configuration does not declare it. */
export const handler = defineForAccount.handlers({
  async GET({ params, url, state }) {
    const upstream = await upstreamAt(params.id, state);
    const { done } = state.catalog.upstreams;
    const known = Object.keys(done) as (keyof typeof done)[]; // its own keys
    return page<UpstreamPageData>({
      row: { upstream, health: healthOf(upstream.id, state) },
      values: upstreamValues(upstream),
      done: known.find((one) => one === url.searchParams.get("done")),
    });
  },

  async POST(ctx) {
    const { req, params, state } = ctx;
    const { services: { store, directory }, catalog: { upstreams: texts } } = state;
    const current = await ownUpstreamAt(params.id, state);
    const values = readUpstreamForm(await readForm(req));
    const groupIds = directory.groups().map(({ id }) => id);
    const rule = upstreamServices(state).addresses;
    const result = await upstreamOf(values, { current, groupIds, rule, texts });
    if (result.type === "invalid") {
      const row = { upstream: current, health: healthOf(current.id, state) };
      const shown = { ...values, credentials: "" };
      const data = { row, values: shown, faults: result.faults };
      return page<UpstreamPageData>(data, { status: 422 });
    }
    const { endpoints, credentials, models, groups, priority, weight } = result.upstream;
    const hasNewKeys = credentials !== current.credentials;
    const target = { targetId: current.id, targetName: current.id };
    const audit = (before: UpstreamRecord, after: UpstreamRecord) => {
      const changes = changesOf(before, after);
      if (changes.length === 0) return undefined;
      return auditEntry(ctx, { kind: "upstream", action: "changed", ...target, changes });
    };
    const change = (stored: UpstreamRecord) => ({
      ...stored,
      ...{ endpoints, models, groups, priority, weight },
      ...(hasNewKeys && { credentials }),
    });
    const saved = await updateUpstream(store, current.id, change, { audit });
    const isChanged = saved !== undefined && changesOf(current, saved).length > 0;
    const done = isChanged ? "saved" : "unchanged";
    const location = `/console/admin/upstreams/${current.id}?done=${done}`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

/** Keys are told of by their number alone, and where others took their place. */
function changesOf(before: UpstreamRecord, after: UpstreamRecord): AuditChange[] {
  const changes = changesBetween(upstreamWords(before), upstreamWords(after));
  const isReplaced = before.credentials.join("\n") !== after.credentials.join("\n") &&
    changes.every(({ field }) => field !== "credentials");
  const replaced = { field: "credentials", before: "as before", after: "replaced" };
  return isReplaced ? [...changes, replaced] : changes;
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => (
  <UpstreamPage view={accountView(state, url)} data={data} />
));
