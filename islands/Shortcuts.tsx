import { useEffect } from "preact/hooks";

/**
 * Single-key shortcuts: `j` and `k` move through the calls of a list, `?` opens the list of
 * shortcuts, Escape goes back.
 */
export default function Shortcuts() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (act(event.key)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return null;
}

function act(key: string): boolean {
  switch (key) {
    case "j":
      return step(1);
    case "k":
      return step(-1);
    case "?":
      return open(document.getElementById("shortcuts"));
    case "Escape":
      return leave();
    default:
      return false;
  }
}

function step(by: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("tbody a.id")];
  const focused = rows.indexOf(document.activeElement as HTMLElement); // sound: used only for a lookup
  const at = focused < 0 ? rows.findIndex(({ ariaCurrent }) => ariaCurrent) : focused;
  const next = rows[at < 0 ? 0 : at + by];
  next?.focus();
  return next !== undefined;
}

function open(list: HTMLElement | null): boolean {
  list?.togglePopover();
  return list !== null;
}

/** Escape first closes any open dialog or popover. */
function leave(): boolean {
  if (document.querySelector(":popover-open, dialog[open]")) return false;
  const links = [...document.querySelectorAll<HTMLAnchorElement>("[data-key-escape]")];
  const back = links.find((one) => one.offsetParent);
  back?.click();
  return back !== undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
