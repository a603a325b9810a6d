import CopyButton from "../islands/CopyButton.tsx";
import { callTone } from "../lib/console/call_tone.ts";
import type { AccountView, RequestLogRow } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";
import { toneIcon } from "./States.tsx";
import { untranslated } from "./untranslated.ts";

/** What became of a call in one sentence, and what to do about it. */
export function Verdict({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { call: texts, copy, errorRemedies } = view.catalog;
  const remedies: Readonly<Record<string, string>> = errorRemedies;
  const tone = callTone(call);
  const remedy = call.errorCode === undefined ? undefined : remedies[call.errorCode];
  return (
    <section class="panel" aria-labelledby="verdict">
      <header>
        <h2 id="verdict">{texts.happened}</h2>
        <span class="spacer" />
        <span class="id-line">
          <code {...untranslated}>{call.id}</code>
          <CopyButton text={call.id} label={texts.copyId} texts={copy} />
        </span>
      </header>
      <div class={`body verdict ${tone}`}>
        <Icon name={toneIcon(tone)} />
        <p>{texts.sentence[call.outcome]}</p>
        {remedy && <p class="soft">{remedy}</p>}
      </div>
    </section>
  );
}
