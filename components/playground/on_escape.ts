/** Listens for Esc, but for one that closes a dialog, until what it returns is called. */
export function onEscape(stop: () => void): () => void {
  const listen = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && !document.querySelector("dialog[open]")) stop();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
