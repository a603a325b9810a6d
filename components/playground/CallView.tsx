import { useState } from "preact/hooks";
import { fill, prettyJson, type ToolCall, type ToolResult } from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";
import { sendsForm } from "./SaidTurn.tsx";
import type { PlaygroundTexts } from "./texts.ts";

/** A tool call of the model. */
export function CallView({ call, texts }: { call: ToolCall; texts: PlaygroundTexts }) {
  const json = prettyJson(call.json);
  return (
    <section class="tool-call" aria-label={fill(texts.calls, { name: call.name })}>
      <p>
        <Icon name="wrench" small />
        {fill(texts.calls, { name: call.name })}
      </p>
      {json === "" || json === "{}"
        ? <p class="hint">{texts.noArguments}</p>
        : <pre tabIndex={0}><code {...untranslated}>{json}</code></pre>}
    </section>
  );
}

/** The results that the user entered for tool calls. */
export function ResultsTurn(
  { results, texts }: { results: readonly ToolResult[]; texts: PlaygroundTexts },
) {
  return (
    <article class="turn said">
      {results.map(({ callId, name, text }) => (
        <section key={callId} class="tool-call" aria-label={fill(texts.resultOf, { name })}>
          <p>{fill(texts.resultOf, { name })}</p>
          <pre tabIndex={0}><code {...untranslated}>{text}</code></pre>
        </section>
      ))}
    </article>
  );
}

/** The form for the results of the model's tool calls. */
export function ResultsForm(
  { calls, at, hindrance, texts, onGive }: {
    calls: readonly ToolCall[];
    /** The index of the lane. */
    at: number;
    /** The reason why the results cannot be sent now. */
    hindrance: string | undefined;
    texts: PlaygroundTexts;
    onGive: (results: readonly ToolResult[]) => void;
  },
) {
  const [given, give] = useState<Readonly<Record<string, string>>>({});
  return (
    <form
      class="turn said fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (hindrance !== undefined) return;
        onGive(calls.map(({ id, name }) => ({ callId: id, name, text: given[id] ?? "" })));
      }}
    >
      {calls.map(({ id, name }) => (
        <div class="field" key={id}>
          <label for={`result-${at}-${id}`}>{fill(texts.result, { name })}</label>
          <textarea
            class="input"
            id={`result-${at}-${id}`}
            rows={2}
            spellcheck={false}
            value={given[id] ?? ""}
            onInput={({ currentTarget }) => give({ ...given, [id]: currentTarget.value })}
            onKeyDown={sendsForm}
          />
        </div>
      ))}
      {hindrance && <p class="hint" role="alert">{hindrance}</p>}
      <div class="actions">
        <button class="button" type="submit">{texts.giveResults}</button>
      </div>
    </form>
  );
}
