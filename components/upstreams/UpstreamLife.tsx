import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { UpstreamRow } from "../../lib/console/upstreams/upstream_list.ts";
import { Fold } from "../Fold.tsx";
import { Icon } from "../Icon.tsx";

const steps = ["well", "degraded", "open", "cooling", "probing"] as const satisfies readonly (
  keyof Catalog["upstreamAdmin"]["life"]
)[];

/** The states of an upstream, with the current one marked. */
export function UpstreamLife({ view, row }: { view: AccountView; row: UpstreamRow }) {
  const { catalog: { upstreams, upstreamAdmin: texts, upstreamPage }, formats } = view;
  const { state, untilMs } = row.status;
  return (
    <Fold id="life" title={upstreamPage.health} value={upstreamPage.healthValue}>
      <div class="body fields">
        <ol class="life">
          {steps.map((step) => {
            const isNow = step === state;
            const name = isNow && untilMs !== undefined
              ? texts.until(texts.states[step], formats.moment(untilMs))
              : texts.states[step];
            return (
              <li key={step} aria-current={isNow ? "step" : undefined}>
                <Icon name={isNow ? "circle-check" : "circle"} small />
                <b>{name}</b>
                <span>{texts.life[step]}</span>
              </li>
            );
          })}
        </ol>
        <p class="hint">{`${texts.lifeText} ${upstreams.here}`}</p>
      </div>
    </Fold>
  );
}
