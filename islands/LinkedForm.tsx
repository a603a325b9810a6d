import { useEffect } from "preact/hooks";

/**
 * Moves the focus to the first field of the part of the page that its address names. The browser
 * opens the panel of that part by itself.
 */
export default function LinkedForm() {
  useEffect(() => {
    const stop = new AbortController();
    focusTarget();
    addEventListener("hashchange", focusTarget, stop);
    // A link to the current fragment changes no address.
    addEventListener("click", ({ target }) => {
      const link = target instanceof Element && target.closest("a[href^='#']");
      if (link && link.getAttribute("href") === location.hash) focusTarget();
    }, stop);
    return () => stop.abort();
  }, []);
  return null;
}

const fields = "input:not([type=hidden]), select, textarea";

function focusTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  const part = target?.matches(".target, fieldset") ? target : undefined;
  const panel = part?.closest("details");
  if (!part || !panel) return;
  panel.open = true;
  const within = part.matches("fieldset") ? part : panel;
  within.querySelector<HTMLElement>(fields)?.focus();
}
