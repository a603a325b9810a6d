import { useEffect } from "preact/hooks";

/** A key of the keyboard. The list of keys hides those whose element the page lacks. */
interface Shortcut {
  /** A selector; the key works while a visible element matches it. */
  readonly needs: string;
  /** Returns false if there was nothing to do; absent for keys that other code handles. */
  readonly act?: (event: KeyboardEvent) => boolean;
}

const boxes = "main table input[type=checkbox][form]";
const rows = "main tbody th a";
const menuButton = "[popovertarget^=menu-]";
const exports = "[popovertarget=log-exports], main a[href*='/export']";

const shortcuts: Readonly<Record<string, Shortcut>> = {
  j: { needs: rows, act: () => step(1) },
  k: { needs: rows, act: () => step(-1) },
  enter: { needs: rows },
  x: { needs: boxes, act: ({ shiftKey }) => select(shiftKey) },
  ".": {
    needs: `main tbody ${menuButton}`,
    act: () => openMenu(rowHere()?.querySelector(menuButton)),
  },
  c: { needs: "[data-create]", act: () => openMenu(visible("[data-create]")[0]) },
  e: { needs: exports, act: () => openMenu(visible(exports)[0]) },
  t: { needs: "body", act: changeTheme },
  escape: { needs: `#drawer, [data-key-escape], ${boxes}`, act: leave },
  "?": { needs: "body", act: () => toggleList() },
};

/** Single-key shortcuts, and G followed by the letter of a page. */
export default function Shortcuts() {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const find = followKeys();
    const onKey = (event: KeyboardEvent) => {
      if (isOurs(event) && find(event)) event.preventDefault();
    };
    addEventListener("keydown", onKey, { signal });
    document.addEventListener("beforetoggle", showWorking, { capture: true, signal });
    return () => stop.abort();
  }, []);
  return null;
}

/** Returns a handler that remembers G for the letter after it. */
function followKeys() {
  let goUntilMs = 0;
  return (event: KeyboardEvent): boolean => {
    const key = event.key.toLowerCase();
    const goes = event.timeStamp < goUntilMs;
    goUntilMs = key === "g" ? event.timeStamp + 1_500 : 0;
    if (goes && /^[a-z]$/.test(key)) return click(document.querySelector(`[data-letter=${key}]`));
    if (key.startsWith("arrow")) return stepBeside(key);
    return shortcuts[key]?.act?.(event) ?? false;
  };
}

/** Leaves alone what is typed, what a modal dialog covers, and keys that others have handled. */
function isOurs(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented || isTyping(target)) return false;
  if (shiftKey && /^[a-wyz]$/i.test(key)) return false;
  return document.querySelector("dialog[open]") === null;
}

/** Moves the focus through the open menu, or else through the rows. */
function step(by: number): boolean {
  const items = visible(":popover-open .item");
  const stops = items.length > 0 ? items : rowLinks();
  const row = items.length > 0 ? undefined : rowHere();
  const focused = stops.findIndex((one) => one === document.activeElement || row?.contains(one));
  const at = focused < 0 ? stops.findIndex(({ ariaCurrent }) => ariaCurrent) : focused;
  const next = stops[at < 0 ? 0 : at + by];
  next?.focus();
  return next !== undefined;
}

/** Arrow keys scroll the page unless the focus is in a row or a menu. */
function stepBeside(key: string): boolean {
  const by = { arrowdown: 1, arrowup: -1 }[key];
  const isWithin = document.activeElement?.matches(`${rows}, :popover-open .item`);
  return by !== undefined && isWithin === true && step(by);
}

let lastBox: HTMLInputElement | undefined;

/** Selects the row of the focus, or all from the row selected last to it. */
function select(isRange: boolean): boolean {
  const row = rowHere();
  const all = visible<HTMLInputElement>(`tbody input[type=checkbox][form]`);
  const at = all.findIndex((one) => row?.contains(one));
  const from = isRange && lastBox ? all.indexOf(lastBox) : -1;
  if (at < 0) return false;
  if (from < 0) all[at].click();
  else for (const one of all.slice(Math.min(from, at), Math.max(from, at) + 1)) check(one);
  lastBox = all[at];
  return true;
}

function check(box: HTMLInputElement): void {
  if (!box.checked) box.click();
}

/** Clicks a link or a button, and moves the focus into the menu that it opens. */
function openMenu(opener: HTMLElement | null | undefined): boolean {
  if (!click(opener)) return false;
  visible(":popover-open .item")[0]?.focus();
  return true;
}

/** The form of the account menu keeps the choice. */
function changeTheme(): boolean {
  const { theme } = document.documentElement.dataset;
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return click(document.querySelector(`[name=theme][value=${isDark ? "light" : "dark"}]`));
}

/** The browser closes an open menu; after that the selection ends, then the page. */
function leave(): boolean {
  if (document.querySelector(":popover-open")) return false;
  const selected = visible(`${boxes}:checked`);
  for (const one of selected) one.click();
  return selected.length > 0 || click(visible("[data-key-escape]")[0]);
}

function toggleList(): boolean {
  const list = document.getElementById("shortcuts");
  list?.togglePopover();
  return list !== null;
}

/** Hides the keys that do nothing on this page from the list. */
function showWorking({ target }: Event): void {
  if (!(target instanceof HTMLElement) || target.id !== "shortcuts") return;
  for (const one of target.querySelectorAll<HTMLElement>("[data-key]")) {
    const { needs = "body" } = shortcuts[one.dataset.key ?? ""] ?? {};
    one.hidden = visible(needs).length === 0;
  }
}

function rowHere(): Element | null | undefined {
  return document.activeElement?.closest("main tbody tr");
}

/** The link that names each row. */
function rowLinks(): readonly HTMLElement[] {
  return visible("main tbody tr").flatMap((row) => row.querySelector<HTMLElement>("th a") ?? []);
}

function visible<Type extends HTMLElement = HTMLElement>(selector: string): Type[] {
  return [...document.querySelectorAll<Type>(selector)].filter((one) => one.checkVisibility());
}

function click(target: HTMLElement | null | undefined): boolean {
  target?.click();
  return target != null;
}

/** Returns true if keys pressed at an element change its text or its choice. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio])"));
}
