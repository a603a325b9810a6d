import { useEffect, useRef, useState } from "preact/hooks";

interface SaveBarProps {
  readonly unsaved: string;
  readonly discard: string;
  readonly save: string;
  /** Set if the form came back with invalid fields. */
  readonly changed: boolean;
}

/**
 * The buttons of a form. With a script, the style sheet hides them until a field changes; without
 * one, they are always there.
 */
export default function SaveBar({ unsaved, discard, save, changed }: SaveBarProps) {
  const bar = useRef<HTMLElement>(null);
  const [isChanged, setChanged] = useState(changed);
  useEffect(() => {
    const form = bar.current?.closest("form");
    const note = () => setChanged(changed || isEdited(form));
    const forget = () => setChanged(changed);
    note(); // somebody may have typed before this script was there
    form?.addEventListener("input", note);
    form?.addEventListener("reset", forget);
    return () => {
      form?.removeEventListener("input", note);
      form?.removeEventListener("reset", forget);
    };
  }, []);
  return (
    <footer class="save-bar" ref={bar} data-changed={isChanged ? "" : undefined}>
      <span class="hint with-script" role="status">{isChanged ? unsaved : ""}</span>
      <span class="spacer" />
      <button class="button small with-script" type="reset">{discard}</button>
      <button class="button small primary" type="submit">{save}</button>
    </footer>
  );
}

/** True if a field differs from the one that the server sent. */
function isEdited(form: HTMLFormElement | null | undefined): boolean {
  return [...form?.elements ?? []].some((field) => {
    if (field instanceof HTMLSelectElement) {
      return [...field.options].some((one) => one.selected !== one.defaultSelected);
    }
    if (field instanceof HTMLInputElement && field.type === "checkbox") {
      return field.checked !== field.defaultChecked;
    }
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    return isText && field.value !== field.defaultValue;
  });
}
