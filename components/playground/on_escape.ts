/**
 * Calls `stop` on Esc, except when Esc closes a dialog. Returns the function that stops listening.
 */
export function onEscape(stop: () => void): () => void {
  const listen = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && !document.querySelector("dialog[open]")) stop();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
