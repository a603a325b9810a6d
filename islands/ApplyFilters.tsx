import { useEffect } from "preact/hooks";

/**
 * Applies a choice among the log's filters at once: one by the keyboard when the focus leaves it,
 * because arrow keys pass over other choices. Leaves empty fields out of the address.
 */
export default function ApplyFilters() {
  useEffect(() => {
    const form = document.querySelector<HTMLFormElement>("form.log-filters");
    if (form === null) return;
    const stop = new AbortController();
    follow(form, stop.signal);
    return () => stop.abort();
  }, []);
  return null;
}

function follow(form: HTMLFormElement, signal: AbortSignal): void {
  let isByKey = false;
  let isChanged = false;
  form.addEventListener("keydown", () => isByKey = true, { signal });
  form.addEventListener("pointerdown", () => isByKey = false, { signal });
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.closest(".chips")) return;
    if (isByKey) isChanged = true;
    else form.requestSubmit();
  }, { signal });
  form.addEventListener("focusout", () => isChanged && form.requestSubmit(), { signal });
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  }, { signal });
}
