import CopyButton from "../../islands/CopyButton.tsx";
import { curlSnippet } from "../../lib/console/connect/client_snippets.ts";
import type { AccountView, RequestLogRow } from "../../lib/console/page/view.ts";
import { untranslated } from "../untranslated.ts";

/** The call again, for a terminal: with a placeholder for the key, and no prompt, as none is kept. */
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
    <section class="panel" aria-labelledby="repeat">
      <header>
        <h2 id="repeat">{usage.repeat}</h2>
      </header>
      <div class="body">
        <div class="snippet">
          <pre tabIndex={0} role="region" aria-label={overview.snippet}>
            <code {...untranslated}>{snippet}</code>
          </pre>
          <CopyButton text={snippet} label={usage.copyCurl} texts={copy} />
        </div>
        <p class="hint">{usage.repeatText}</p>
      </div>
    </section>
  );
}
