import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { FormAlert } from "../../../../components/controls.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { ConnectionResult } from "../../../../components/upstreams/ConnectionResult.tsx";
import {
  NewUpstreamActions,
  NewUpstreamFields,
} from "../../../../components/upstreams/UpstreamFields.tsx";
import { upstreamValues } from "../../../../lib/admin/upstreams/upstream_form.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm, listFormBytesMax } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import {
  addUpstream,
  copiedValues,
  type NewUpstream,
  readNewUpstream,
} from "../../../../lib/console/upstreams/new_upstream.ts";

/**
 * Adds an upstream: from a preset, from its own URLs, or as a copy of the one in `?from=`. It is
 * enabled if its test succeeds, or saved disabled without a test. Keys are never sent to the
 * browser.
 */
export const handler = defineForm<NewUpstream>({
  async load({ url: { searchParams }, state }) {
    const from = searchParams.get("from");
    const values = from === null
      ? { ...upstreamValues(), preset: "openai" }
      : await copiedValues(from, state);
    return { values, faults: {}, kept: { sealed: "", count: 0 } };
  },
  bytesMax: listFormBytesMax,

  async submit(ctx, form) {
    const asked = await readNewUpstream(form, ctx.state);
    const result = await addUpstream(asked, ctx);
    if (result.type === "refused") {
      return page(result.shown, { status: result.shown.report ? 200 : 422 });
    }
    return seeOther(`/console/admin/upstreams/${result.id}?done=${result.done}`);
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { upstreams: texts, upstreamAdmin } = view.catalog;
  const { values, faults, report, kept } = data;
  const from = url.searchParams.get("from");
  return (
    <ConsolePage view={view} title={texts.title} place="upstreams">
      {report && <ConnectionResult view={view} report={report} />}
      <Panel id="add" title={texts.add} class="form-panel">
        <form class="body fields" method="post" action="/console/admin/upstreams/new" noValidate>
          {report && <FormAlert>{upstreamAdmin.notReady}</FormAlert>}
          {from !== null && <p class="soft">{upstreamAdmin.copyOf(from)}</p>}
          <p>
            <A class="link" href="/console/admin/upstreams/new/cloud">{view.catalog.clouds.from}</A>
          </p>
          <input type="hidden" name="kept" value={kept.sealed} />
          <NewUpstreamFields
            view={view}
            values={values}
            faults={faults}
            keysKept={kept.count > 0 ? upstreamAdmin.keysKept(kept.count) : undefined}
          />
          <NewUpstreamActions view={view} />
        </form>
      </Panel>
    </ConsolePage>
  );
});
