import { page } from "fresh";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { UpstreamFields } from "../../../../components/UpstreamFields.tsx";
import { type AuditContext, auditEntry, changesBetween } from "../../../../lib/console/audit.ts";
import { readForm } from "../../../../lib/console/form_body.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import {
  readUpstreamForm,
  type UpstreamFaults,
  upstreamOf,
  type UpstreamValues,
  upstreamValues,
} from "../../../../lib/console/upstream_form.ts";
import { upstreamServices, upstreamWords } from "../../../../lib/console/upstream_page.ts";
import { accountView } from "../../../../lib/console/view.ts";
import {
  type AuditDraft,
  createUpstream,
  type Store,
  StoreError,
  type UpstreamRecord,
} from "../../../../lib/store/mod.ts";

interface NewUpstreamData {
  readonly values: UpstreamValues;
  readonly faults: UpstreamFaults;
}

/** Adds an upstream, from a preset or by its own addresses. What was entered as keys is not sent back. */
export const handler = defineForAccount.handlers({
  GET: () =>
    page<NewUpstreamData>({ values: { ...upstreamValues(), preset: "openai" }, faults: {} }),

  async POST(ctx) {
    const { req, state } = ctx;
    const { services: { store, directory }, catalog: { upstreams: texts } } = state;
    const values = readUpstreamForm(await readForm(req));
    const groupIds = directory.groups().map(({ id }) => id);
    const rule = upstreamServices(state).addresses;
    const result = await upstreamOf(values, { groupIds, rule, texts });
    const faults = result.type === "invalid"
      ? result.faults
      : await create(store, result.upstream, createdEntry(ctx, result.upstream))
      ? undefined
      : { id: texts.fault.taken };
    if (result.type === "invalid" || faults) {
      const shown = { ...values, credentials: "" };
      return page<NewUpstreamData>({ values: shown, faults: faults ?? {} }, { status: 422 });
    }
    const { id } = result.upstream;
    const location = `/console/admin/upstreams/${id}?done=created`;
    return new Response(null, { status: 303, headers: { location } });
  },
});

/** False where the name is taken. */
async function create(
  store: Store,
  upstream: UpstreamRecord,
  audit: AuditDraft,
): Promise<boolean> {
  try {
    await createUpstream(store, upstream, { audit });
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === "already_exists") return false;
    throw error;
  }
}

function createdEntry(ctx: AuditContext, upstream: UpstreamRecord): AuditDraft {
  const target = { targetId: upstream.id, targetName: upstream.id };
  const changes = changesBetween({}, upstreamWords(upstream));
  return auditEntry(ctx, { kind: "upstream", action: "created", ...target, changes });
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { upstreams: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="upstreams">
      <section class="panel form-panel" aria-labelledby="add">
        <header>
          <h2 id="add">{texts.add}</h2>
        </header>
        <form class="body fields" method="post" action="/console/admin/upstreams/new" noValidate>
          <UpstreamFields view={view} values={data.values} faults={data.faults} isNew />
          <div class="actions">
            <a class="button" href="/console/admin/upstreams" aria-current="false">
              {texts.cancel}
            </a>
            <button class="button primary" type="submit">{texts.add}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});
