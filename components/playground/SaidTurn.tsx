import { useEffect, useRef, useState } from "preact/hooks";
import {
  type Attachment,
  dataUrl,
  fill,
  isImage,
  type UserMessage,
} from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import type { PlaygroundTexts } from "./use_playground.ts";

interface SaidTurnProps {
  readonly turn: UserMessage;
  readonly texts: PlaygroundTexts;
  /** Absent while an answer is running. */
  readonly onSayAgain?: (text: string) => void;
}

/** A message of the user, which can be edited and sent again. */
export function SaidTurn({ turn, texts, onSayAgain }: SaidTurnProps) {
  const [editing, edit] = useState(false);
  return (
    <article class="turn said" aria-label={texts.you}>
      {editing && onSayAgain
        ? (
          <EditForm
            text={turn.text}
            texts={texts}
            onCancel={() => edit(false)}
            onSay={(text) => {
              edit(false);
              onSayAgain(text);
            }}
          />
        )
        : <p class="words">{turn.text}</p>}
      {onSayAgain && !editing && (
        <button
          class="icon-button with-script"
          type="button"
          aria-label={texts.edit}
          title={texts.edit}
          onClick={() => edit(true)}
        >
          <Icon name="pencil" />
        </button>
      )}
      <Files files={turn.attachments} />
    </article>
  );
}

function EditForm(
  { text, texts, onCancel, onSay }: {
    text: string;
    texts: PlaygroundTexts;
    onCancel: () => void;
    onSay: (text: string) => void;
  },
) {
  const [edited, setEdited] = useState(text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (edited.trim() !== "") onSay(edited);
      }}
    >
      <textarea
        class="input spoken"
        rows={3}
        aria-label={texts.editLabel}
        value={edited}
        ref={area}
        onInput={({ currentTarget }) => setEdited(currentTarget.value)}
        onKeyDown={sendsForm}
      />
      <div class="actions">
        <button class="button small" type="button" onClick={onCancel}>{texts.cancel}</button>
        <button class="button small" type="submit">{texts.sendAgain}</button>
      </div>
    </form>
  );
}

/** Submits the form of a textarea on Ctrl+Enter or Cmd+Enter. */
export function sendsForm(event: preact.TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** The files attached to a message. With `onRemove`, they can be removed. */
export function Files(
  { files, texts, onRemove }: {
    files: readonly Attachment[];
    texts?: PlaygroundTexts;
    onRemove?: (at: number) => void;
  },
) {
  if (files.length === 0) return null;
  return (
    <ul class="files">
      {files.map((file, at) => (
        <li key={at} class="tag">
          {isImage(file) && <img src={dataUrl(file)} alt="" />}
          <span>{file.name}</span>
          {texts && onRemove && (
            <button
              type="button"
              aria-label={fill(texts.remove, { name: file.name })}
              onClick={() => onRemove(at)}
            >
              <Icon name="circle-x" small />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
