import { useRef, useState } from "preact/hooks";
import { Icon } from "../components/Icon.tsx";
import { FormAlert } from "../components/controls.tsx";
import {
  KeyFields,
  type KeyFieldValues,
  type KeyFormTexts,
} from "../components/keys/KeyFields.tsx";

interface CreateKeyProps {
  readonly groups: readonly string[];
  readonly open: string;
  readonly texts: KeyFormTexts;
}

type Stage =
  | { readonly type: "asking"; readonly problem?: string; readonly faults?: KeyFieldValues }
  | { readonly type: "sending" };

const path = "/console/token/new";

/**
 * Creates a key in a dialog, then navigates to its secret. Without a script, its link opens the
 * form's own page.
 */
export default function CreateKey(props: CreateKeyProps) {
  const { texts } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [stage, go] = useState<Stage>({ type: "asking" });
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    dialog.current?.showModal();
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (stage.type === "sending" || !(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    go({ type: "sending" });
    go(await create(form, texts.failed));
  };
  return (
    <>
      <a class="button primary" href={path} data-create onClick={open}>
        <Icon name="plus" />
        {props.open}
      </a>
      <dialog class="dialog" ref={dialog} aria-labelledby="create-title">
        <form class="inside" method="post" action={path} noValidate onSubmit={send}>
          <h2 id="create-title">{texts.title}</h2>
          {stage.type === "asking" && stage.problem && <FormAlert>{stage.problem}</FormAlert>}
          <KeyFields
            texts={texts}
            groups={props.groups}
            faults={stage.type === "asking" ? stage.faults : undefined}
          />
          <div class="actions">
            <button class="button" type="button" onClick={() => dialog.current?.close()}>
              {texts.cancel}
            </button>
            <button
              class="button primary"
              type="submit"
              aria-disabled={stage.type === "sending" ? "true" : undefined}
            >
              {texts.submit}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}

async function create(form: FormData, failed: string): Promise<Stage> {
  const fields = [...form].map(([name, value]) => [name, String(value)]);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(fields),
    });
    if (response.ok) {
      location.assign(response.headers.get("location") ?? "/console/token");
      return { type: "sending" };
    }
    const answer = await response.json();
    return { type: "asking", problem: answer.problem ?? failed, faults: answer.faults };
  } catch {
    return { type: "asking", problem: failed };
  }
}
