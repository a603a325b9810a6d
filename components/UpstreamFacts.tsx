import { modelLine } from "../lib/console/upstream_form.ts";
import { type AccountView, presetNamed } from "../lib/console/view.ts";
import { untranslated } from "./untranslated.ts";
import { type UpstreamRow, UpstreamStatus } from "./UpstreamTable.tsx";

/** How an upstream is called, and what can be done with it. */
export function UpstreamFacts({ view, row }: { view: AccountView; row: UpstreamRow }) {
  const { upstreams: texts, units } = view.catalog;
  const { upstream } = row;
  const { preset, endpoints, credentials, models, groups, priority, weight } = upstream;
  const addresses = Object.entries(endpoints).map(([format, url]) =>
    `${units.formats[format as keyof typeof units.formats]}: ${url}` // the record's own formats
  );
  const lines = [
    [texts.preset, [presetNamed(preset)?.name ?? texts.ownPreset]],
    [texts.addresses, addresses],
    [texts.credentials, [texts.credentialCount(credentials.length)]],
    [texts.models, models.map(modelLine)],
    [texts.groups, groups.map((id) => id === "*" ? texts.allGroups : id)],
    [texts.order, [`${priority} · ${weight}`]],
  ] as const;
  return (
    <section class="panel" aria-labelledby="facts">
      <header>
        <h2 id="facts">{texts.facts}</h2>
        <span class="spacer" />
        <UpstreamStatus view={view} row={row} />
      </header>
      <div class="body fields">
        {upstream.origin === "config" && <p class="soft">{texts.declaredText}</p>}
        <dl class="facts">
          {lines.map(([name, values]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd {...untranslated}>{values.join(", ")}</dd>
            </div>
          ))}
        </dl>
        <Actions view={view} row={row} />
      </div>
    </section>
  );
}

function Actions(
  { view: { catalog: { upstreams: texts } }, row: { upstream } }: {
    view: AccountView;
    row: UpstreamRow;
  },
) {
  const path = `/console/admin/upstreams/${upstream.id}`;
  return (
    <div class="actions start">
      <form method="post" action={`${path}/test`}>
        <button class="button" type="submit">{texts.test}</button>
      </form>
      {upstream.origin === "console" && (
        <>
          <form method="post" action={`${path}/enabled`}>
            <button
              class="button"
              type="submit"
              name="enabled"
              value={String(!upstream.enabled)}
            >
              {upstream.enabled ? texts.disable : texts.enable}
            </button>
          </form>
          <a class="button" href={`${path}/delete`} aria-current="false">{texts.remove}</a>
        </>
      )}
    </div>
  );
}
