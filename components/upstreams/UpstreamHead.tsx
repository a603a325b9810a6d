import type { AccountView } from "../../lib/console/page/view.ts";
import type { UpstreamDetail } from "../../lib/console/upstreams/upstream_detail.ts";
import { presetNamed } from "../../lib/upstreams/presets/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Icon } from "../Icon.tsx";
import { stateText, StateWords } from "./UpstreamStatus.tsx";

interface UpstreamHeadProps {
  readonly view: AccountView;
  readonly detail: UpstreamDetail;
}

/** The state of an upstream in one sentence, and its actions. */
export function UpstreamHead({ view, detail }: UpstreamHeadProps) {
  const { status: { state, untilMs } } = detail.row;
  return (
    <div class="page-head across">
      <p>
        <StateWords view={view} state={state} untilMs={untilMs} />
        <span class="soft">{sentenceOf(view, detail)}</span>
      </p>
      <Actions view={view} detail={detail} />
    </div>
  );
}

const partsShown = 2;

function sentenceOf(view: AccountView, { row, models, figures }: UpstreamDetail): string {
  const { upstreamPage: texts, upstreamAdmin, upstreams } = view.catalog;
  const { upstream: { preset, origin }, status: { state, parts } } = row;
  const vendor = presetNamed(preset)?.name;
  const kind = vendor === undefined ? texts.custom : texts.preset(vendor);
  const out = parts.filter(({ model }) => model !== undefined).slice(0, partsShown).map((part) => {
    const served = models.find(({ id, upstreamModel = id }) => upstreamModel === part.model);
    const text = upstreamAdmin.partly(part.model ?? "", stateText(view, part));
    return texts[served?.fallbacks.length === 0 ? "alone" : "partly"](text);
  });
  const about = out.length > 0 || state === "well" ? out : [texts.about[state]];
  const inConfig = origin === "config" ? upstreams.declaredText : "";
  return [kind, ...about, dayOf(view, figures), inConfig].filter(Boolean).join(" ");
}

/** The calls of the last day, also those before the process started. */
function dayOf(
  { catalog: { upstreamPage: texts }, formats }: AccountView,
  figures: UpstreamDetail["figures"],
): string {
  if (!figures) return "";
  const failed = figures.hours.reduce((sum, { counts }) => sum + counts.failures, 0);
  const calls = formats.count(figures.calls);
  if (figures.calls === 0) return texts.nothing.calls;
  return failed === 0 ? texts.allSucceeded(calls) : texts.failedInDay(formats.count(failed), calls);
}

function Actions({ view, detail: { row: { upstream }, models } }: UpstreamHeadProps) {
  const { upstreams: texts, upstreamAdmin, upstreamPage } = view.catalog;
  const { id, enabled, origin } = upstream;
  const path = `/console/admin/upstreams/${id}`;
  const asked = models.length > 0 ? `?${new URLSearchParams({ model: models[0].id })}` : "";
  return (
    <div class="actions start">
      <Form action={`${path}/test`}>
        <button class="button" type="submit">{texts.test}</button>
      </Form>
      <A class="button" href={`/console/admin/upstreams${asked}#which`}>
        {upstreamPage.checkRoute}
      </A>
      {origin === "console" && (
        <Form action={`${path}/enabled`}>
          <button class="button" type="submit" name="enabled" value={String(!enabled)}>
            {enabled ? texts.disable : upstreamAdmin.enableUntested}
          </button>
        </Form>
      )}
      {view.may("upstreams:write") && <More view={view} id={id} isOwn={origin === "console"} />}
    </div>
  );
}

function More({ view, id, isOwn }: { view: AccountView; id: string; isOwn: boolean }) {
  const { upstreams: texts, upstreamAdmin, upstreamPage } = view.catalog;
  const path = `/console/admin/upstreams/${id}`;
  return (
    <>
      <button
        class="icon-button"
        type="button"
        popovertarget="upstream-menu"
        aria-label={upstreamPage.more(id)}
      >
        <Icon name="ellipsis" />
      </button>
      <div class="menu of-row" id="upstream-menu" popover="auto">
        <A class="item" href={`${path}/models`}>
          <Icon name="layers" />
          {upstreamAdmin.modelsOpen}
        </A>
        {isOwn && (
          <A class="item" href={`${path}/import`}>
            <Icon name="plus" />
            {upstreamAdmin.modelsImport}
          </A>
        )}
        <A class="item" href={`/console/admin/upstreams/new?from=${encodeURIComponent(id)}`}>
          <Icon name="copy" />
          {upstreamAdmin.copyUpstream}
        </A>
        {isOwn && (
          <A class="item danger" href={`${path}/delete`}>
            <Icon name="trash-2" />
            {texts.remove}
          </A>
        )}
      </div>
    </>
  );
}
