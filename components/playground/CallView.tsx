import {
  fill,
  type PlacedCall,
  prettyJson,
  spanText,
  type ToolResult,
} from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";
import type { PlaygroundTexts } from "./texts.ts";

/** A tool call of the model, with the result that the user gave. */
export function CallView(
  { call, result, texts }: {
    call: PlacedCall;
    result: ToolResult | undefined;
    texts: PlaygroundTexts;
  },
) {
  const { name, afterMs } = call;
  const json = prettyJson(call.json);
  return (
    <section class="tool-call" aria-label={fill(texts.calls, { name })}>
      <p>
        <Icon name="wrench" small />
        <b {...untranslated}>{name}</b>
        <span class="spacer" />
        {afterMs !== undefined && (
          <span class="hint">{fill(texts.after, { span: spanText(afterMs) })}</span>
        )}
      </p>
      {json === "" || json === "{}"
        ? <p class="hint">{texts.noArguments}</p>
        : <pre tabIndex={0}><code {...untranslated}>{json}</code></pre>}
      {result && (
        <details class="fold">
          <summary>
            <Icon name="chevron-right" small />
            {texts.toolResult}
          </summary>
          <pre tabIndex={0}><code {...untranslated}>{result.text}</code></pre>
        </details>
      )}
    </section>
  );
}
