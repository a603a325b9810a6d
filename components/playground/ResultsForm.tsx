import { useState } from "preact/hooks";
import { fill, type ToolCall, type ToolResult } from "../../lib/playground/mod.ts";
import { sendsForm } from "./SaidTurn.tsx";
import type { PlaygroundTexts } from "./texts.ts";

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
      class="panel results fields"
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
