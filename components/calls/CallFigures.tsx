import {
  type AccountView,
  type RequestLogRow,
  totalInputTokens,
  totalOutputTokens,
} from "../../lib/console/page/view.ts";
import { Dollars } from "../Dollars.tsx";
import { Figure } from "../Figure.tsx";

/** The cost, the times and the tokens of a call that was answered; nothing for another. */
export function CallFigures({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { call: texts, modelList, users }, formats } = view;
  const { costNanoUsd, durationMs, firstByteMs, outcome, usage } = call;
  if (outcome !== "completed") return null;
  return (
    <section class="strip across" aria-label={users.figures}>
      <Figure
        name={texts.cost.title}
        value={costNanoUsd === undefined
          ? modelList.notCharged
          : <Dollars nanoUsd={costNanoUsd} formats={formats} />}
      />
      <Figure name={texts.duration} value={formats.span(durationMs)} />
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
