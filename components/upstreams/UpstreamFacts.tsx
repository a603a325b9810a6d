import { type AccountView, presetNamed } from "../../lib/console/page/view.ts";
import { modelLine } from "../../lib/console/upstreams/upstream_form.ts";
import { refusedCredentials, type UpstreamRow } from "../../lib/console/upstreams/upstream_list.ts";
import { A } from "../A.tsx";
import { Fact, Facts } from "../Facts.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { UpstreamStatus } from "./UpstreamStatus.tsx";

/** The configuration of an upstream, and its actions. */
export function UpstreamFacts({ view, row }: { view: AccountView; row: UpstreamRow }) {
  const { upstreams: texts, upstreamAdmin, units } = view.catalog;
  const { upstream } = row;
  const { preset, endpoints, credentials, models, groups, priority, weight, auth } = upstream;
  const addresses = Object.entries(endpoints).map(([format, url]) =>
    `${units.formats[format as keyof typeof units.formats]}: ${url}` // its own keys
  );
  const lines = [
    [texts.preset, [presetNamed(preset)?.name ?? texts.ownPreset]],
    [texts.addresses, addresses],
    [texts.credentials, [texts.credentialCount(credentials.length)]],
    ...(auth
      ? [[upstreamAdmin.authHeader, [`${auth.header}: ${auth.prefix ?? ""}…`]] as const]
      : []),
    [texts.models, models.map(modelLine)],
    [texts.groups, groups.map((id) => id === "*" ? texts.allGroups : id)],
    [texts.order, [`${priority} · ${weight}`]],
    [upstreamAdmin.running, [view.formats.count(row.running)]],
  ] as const;
  return (
    <Panel
      id="facts"
      title={texts.facts}
      end={
        <span class="parts">
          <UpstreamStatus view={view} row={row} refused={refusedCredentials(row)} />
        </span>
      }
    >
      <div class="body fields">
        {upstream.origin === "config" && <p class="soft">{texts.declaredText}</p>}
        <Facts>
          {lines.map(([name, values]) => (
            <Fact key={name} name={name} {...untranslated}>{values.join(", ")}</Fact>
          ))}
        </Facts>
        <Actions view={view} row={row} />
      </div>
    </Panel>
  );
}

function Actions(
  { view: { catalog: { upstreams: texts, upstreamAdmin } }, row: { upstream } }: {
    view: AccountView;
    row: UpstreamRow;
  },
) {
  const { id, enabled, origin } = upstream;
  const path = `/console/admin/upstreams/${id}`;
  const isOwn = origin === "console";
  return (
    <div class="actions start">
      <form method="post" action={`${path}/test`}>
        {isOwn && !enabled && (
          <button class="button" type="submit" name="enable" value="true">
            {upstreamAdmin.testAndEnable}
          </button>
        )}
        <button class="button" type="submit">{texts.test}</button>
      </form>
      <A class="button" href={`${path}/models`}>{upstreamAdmin.modelsOpen}</A>
      {isOwn && (
        <>
          <A class="button" href={`${path}/import`}>{upstreamAdmin.modelsImport}</A>
          <form method="post" action={`${path}/enabled`}>
            <button class="button" type="submit" name="enabled" value={String(!enabled)}>
              {enabled ? texts.disable : upstreamAdmin.enableUntested}
            </button>
          </form>
        </>
      )}
      <A class="button" href={`/console/admin/upstreams/new?from=${encodeURIComponent(id)}`}>
        {upstreamAdmin.copyUpstream}
      </A>
      {isOwn && <A class="button" href={`${path}/delete`}>{texts.remove}</A>}
    </div>
  );
}
