import { useRef, useState } from "preact/hooks";
import { type Attachment, fill } from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import { SheetOpener } from "../Panel.tsx";
import { parametersSheet } from "./ParametersPanel.tsx";
import { Files, sendsForm } from "./SaidTurn.tsx";
import type { PlaygroundTexts } from "./use_playground.ts";

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

/** The size limit for all files of a message together. */
const filesBytesMax = 8 * 1024 * 1024;

/** Reads files as attachments. Returns the name of the first file that exceeds the limit. */
async function readFiles(
  files: readonly File[],
  before: readonly Attachment[],
): Promise<{ readonly added: readonly Attachment[]; readonly tooLarge?: string }> {
  let left = filesBytesMax - before.reduce((sum, { base64 }) => sum + base64.length * 3 / 4, 0);
  const added: Attachment[] = [];
  for (const file of files) {
    left -= file.size;
    if (left < 0) return { added, tooLarge: file.name };
    added.push(await readFile(file));
  }
  return { added };
}

function readFile(file: File): Promise<Attachment> {
  const { promise, resolve, reject } = Promise.withResolvers<Attachment>();
  const reader = new FileReader();
  reader.onerror = () => reject(reader.error);
  reader.onload = () => {
    const [head, base64 = ""] = String(reader.result).split(",");
    const mediaType = /^data:([^;,]+)/.exec(head)?.[1] ?? "application/octet-stream";
    resolve({ name: file.name, mediaType, base64 });
  };
  reader.readAsDataURL(file);
  return promise;
}
