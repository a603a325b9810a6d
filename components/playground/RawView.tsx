import type { AssistantReply, SentRequest } from "../../lib/playground/mod.ts";
import { prettyJson } from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";
import type { PlaygroundTexts } from "./texts.ts";

/** The request and the answer as sent over the wire. */
export function RawView({ turn, texts }: { turn: AssistantReply; texts: PlaygroundTexts }) {
  return (
    <details class="fold raw">
      <summary>
        <Icon name="chevron-right" small />
        {texts.raw}
      </summary>
      <h4>{texts.rawRequest}</h4>
      <pre tabIndex={0} role="region" aria-label={texts.rawRequest}><code
        {...untranslated}
      >{shownRequest(turn.request)}</code></pre>
      <h4>{texts.rawResponse}</h4>
      {turn.raw === ""
        ? <p class="hint">{texts.nothingYet}</p>
        : (
          <pre tabIndex={0} role="region" aria-label={texts.rawResponse}><code
            {...untranslated}
          >{prettyJson(turn.raw)}</code></pre>
        )}
    </details>
  );
}

/** Longer texts are file contents, and are shortened. */
const textCharsMax = 4_000;

/** The request with file contents shortened. */
function shownRequest({ path, body }: SentRequest): string {
  const shorten = (_: string, value: unknown) =>
    typeof value === "string" && value.length > textCharsMax
      ? `${value.slice(0, 80)}… (${value.length})`
      : value;
  return `POST ${path}\n\n${JSON.stringify(body, shorten, 2)}`;
}
