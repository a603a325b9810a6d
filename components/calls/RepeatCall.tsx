import { curlSnippet } from "../../lib/console/connect/client_snippets.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { CopyButton } from "../CopyButton.tsx";
import { Fold } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/**
 * The call as a curl command, with placeholders for the key and for the prompt, which is not
 * stored.
 */
export function RepeatCall(
  { view: { catalog: { overview, usage, copy } }, call, origin }: {
    view: AccountView;
    call: RequestLogRow;
    origin: string;
  },
) {
  const snippet = curlSnippet(origin, call.format, {
    model: call.model,
    stream: call.stream,
  });
  return (
    <Fold id="repeat" title={usage.repeat} value={usage.copyCurl}>
      <div class="body">
        <div class="snippet">
          <pre tabIndex={0} role="region" aria-label={overview.snippet}>
            <code {...untranslated}>{snippet}</code>
          </pre>
          <CopyButton text={snippet} label={usage.copyCurl} texts={copy} isLoaded />
        </div>
        <p class="hint">{usage.repeatText}</p>
      </div>
    </Fold>
  );
}
