import { useRef, useState } from "preact/hooks";
import { type Attachment, fill } from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import { SheetOpener } from "../Panel.tsx";
import { parametersSheet } from "./ParametersPanel.tsx";
import { Files, sendsForm } from "./SaidTurn.tsx";
import { filesBytesMax, readFiles } from "./read_files.ts";
import type { PlaygroundTexts } from "./texts.ts";

/** A message before it is sent. */
interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

interface ComposerProps {
  readonly text: string;
  readonly texts: PlaygroundTexts;
  readonly running: boolean;
  /** Set while a form above needs an answer, which the composer must not cover. */
  readonly aside: boolean;
  /** The reason why nothing can be sent now. */
  readonly hindrance: string | undefined;
  readonly onType: (text: string) => void;
  readonly onSend: (draft: Draft) => void;
  readonly onStop: () => void;
  /** The number of models that get the message. */
  readonly models: number;
}

/** The field for the next message. Without a script, the browser posts it as a form. */
export function Composer(props: ComposerProps) {
  const { text, texts, running, hindrance, aside, onType, onSend, onStop } = props;
  const [attachments, attach] = useState<readonly Attachment[]>([]);
  const [problem, complain] = useState("");
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (running) return event.submitter ? onStop() : undefined; // Enter never stops an answer
    const missing = hindrance ?? (text.trim() === "" ? texts.faults.prompt : undefined);
    complain(missing ?? "");
    if (missing !== undefined) return;
    onSend({ text, attachments });
    attach([]);
  };
  const add = async (files: readonly File[]) => {
    const { added, tooLarge } = await readFiles(files, attachments);
    attach([...attachments, ...added]);
    const size = `${filesBytesMax / 1024 / 1024} MB`;
    complain(tooLarge === undefined ? "" : fill(texts.tooLarge, { name: tooLarge, size }));
  };
  return (
    <form
      class={aside ? "panel composer" : "panel composer floating"}
      id="playground"
      method="post"
      action="/console/playground"
      onSubmit={send}
    >
      <label class="unseen" for="prompt">{texts.prompt}</label>
      <textarea
        class="input spoken"
        id="prompt"
        name="prompt"
        rows={2}
        aria-describedby="prompt-hint"
        placeholder={props.models > 1 ? texts.promptAll : texts.prompt}
        value={text}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={sendsForm}
      />
      <Files
        files={attachments}
        texts={texts}
        onRemove={(at) => attach(attachments.filter((_, place) => place !== at))}
      />
      <p class="fault" role="alert">{problem}</p>
      <div class="composer-actions">
        <AttachButton texts={texts} onFiles={add} />
        <SheetOpener sheet={parametersSheet} icon="sliders-horizontal">
          {texts.parameters}
        </SheetOpener>
        <p class="hint with-script" id="prompt-hint">{texts.promptHint}</p>
        <button class="button primary" type="submit">
          <Icon name={running ? "square" : "arrow-up"} />
          {running ? texts.stop : texts.send}
        </button>
      </div>
    </form>
  );
}

function AttachButton(
  { texts, onFiles }: { texts: PlaygroundTexts; onFiles: (files: readonly File[]) => void },
) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={texts.attach}
        onChange={({ currentTarget }) => {
          onFiles([...currentTarget.files ?? []]);
          currentTarget.value = "";
        }}
      />
      <button
        class="icon-button with-script"
        type="button"
        aria-label={texts.attach}
        title={texts.attach}
        onClick={() => input.current?.click()}
      >
        <Icon name="paperclip" />
      </button>
    </>
  );
}
