import { totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { Dollars, Figure } from "../values.tsx";

/** The cost, the times and the tokens of a call that was answered; nothing for another. */
export function CallFigures({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { call: texts, modelList, spend, users }, formats } = view;
  const { costNanoUsd, durationMs, firstByteMs, outcome, usage } = call;
  if (outcome !== "completed") return null;
  const speed = tokensPerSecond(call);
  return (
    <section class="strip across" aria-label={users.figures}>
      <Figure
        name={texts.cost.title}
        value={costNanoUsd === undefined
          ? modelList.notCharged
          : <Dollars nanoUsd={costNanoUsd} formats={formats} />}
      />
      <Figure name={texts.duration} value={formats.span(durationMs)}>
        {speed !== undefined && spend.speed(formats.count(speed))}
      </Figure>
      <Figure
        name={texts.firstByte}
        value={firstByteMs === undefined ? "–" : formats.span(firstByteMs)}
      />
      <Figure
        name={texts.tokens}
        value={usage ? formats.count(totalOutputTokens(usage)) : "–"}
      >
        {usage && texts.forInput(formats.count(totalInputTokens(usage)))}
      </Figure>
    </section>
  );
}

/** The output over the whole call; undefined for a call without any. */
function tokensPerSecond({ usage, durationMs }: RequestLogRow): number | undefined {
  const output = usage && totalOutputTokens(usage);
  return output && durationMs > 0 ? Math.round(output / durationMs * 1_000) : undefined;
}
