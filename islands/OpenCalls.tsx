import { useEffect } from "preact/hooks";

/**
 * Opens the calls of a list in the drawer beside it without loading the page again. Arrow keys and
 * moves of the focus by other keys than Tab change the open call, and each has its own address.
 */
export default function OpenCalls({ copied }: { readonly copied: string }) {
  useEffect(() => {
    const stop = new AbortController();
    follow(copied, stop.signal);
    return () => stop.abort();
  }, []);
  return null;
}

function follow(copied: string, signal: AbortSignal): void {
  let isTab = false;
  document.addEventListener("click", (event) => onClick(event, copied), { signal });
  addEventListener("popstate", () => void show(location.href), { signal });
  document.addEventListener("keydown", (event) => {
    isTab = event.key === "Tab";
    if (isOpen() && onKey(event)) event.preventDefault();
  }, { signal });
  document.addEventListener("focusin", ({ target }) => {
    const isMoved = !isTab && isOpen() && target instanceof HTMLAnchorElement;
    if (isMoved && rows().includes(target) && target.ariaCurrent === null) go(target.href);
  }, { signal });
}

function onClick(event: MouseEvent, copied: string): void {
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest("a");
  if (link && isOurs(link) && isPlain(event)) {
    event.preventDefault();
    go(link.href);
    return;
  }
  const button = target?.closest<HTMLElement>("#call-detail [data-copy]");
  if (button) void copy(button, copied);
}

/** True for rows of the list, and for the drawer's links to calls and to the list alone. */
function isOurs(link: HTMLAnchorElement): boolean {
  return rows().includes(link) || link.matches("#close-call, [data-step][href]");
}

function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
}

function onKey({ key, target }: KeyboardEvent): boolean {
  const isField = target instanceof Element &&
    target.matches("input, select, textarea, [role=slider]");
  if (isField || document.querySelector(":popover-open")) return false;
  if (key === "Escape") go(byId<HTMLAnchorElement>("close-call").href);
  else if (key === "ArrowDown" || key === "ArrowUp") {
    neighbor(key === "ArrowDown" ? 1 : -1)?.focus();
  } else return false;
  return true;
}

/** Changes the address, then shows its call. */
function go(href: string): void {
  if (href !== location.href) history.pushState(null, "", href);
  void show(href);
}

let last: AbortController | undefined;

async function show(href: string): Promise<void> {
  last?.abort();
  const id = new URL(href).searchParams.get("call");
  if (id === null) return close();
  const { signal } = last = new AbortController();
  mark(id);
  try {
    const url = new URL(href);
    url.searchParams.set("part", "call");
    const response = await fetch(url, { signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const detail = page.getElementById("call-detail");
    if (detail === null) return location.assign(href);
    byId("call-detail").replaceWith(document.adoptNode(detail));
    byId("drawer").hidden = false;
    byId("drawer").scrollTop = 0;
  } catch {
    if (!signal.aborted) location.assign(href);
  }
}

/** Marks the row of a call, and points the drawer's links at its neighbors. */
function mark(id: string): void {
  for (const row of rows()) row.ariaCurrent = callOf(row) === id ? "true" : null;
  byId("whole-call").setAttribute("href", `/console/log/${id}`);
  for (const link of document.querySelectorAll<HTMLElement>("[data-step]")) {
    const href = neighbor(Number(link.dataset.step))?.getAttribute("href");
    if (href) link.setAttribute("href", href);
    else link.removeAttribute("href");
    link.ariaDisabled = href ? null : "true";
  }
}

function close(): void {
  const row = rows().find(({ ariaCurrent }) => ariaCurrent);
  byId("drawer").hidden = true;
  for (const one of rows()) one.ariaCurrent = null;
  row?.focus();
}

function neighbor(by: number): HTMLAnchorElement | undefined {
  return rows()[rows().findIndex(({ ariaCurrent }) => ariaCurrent) + by];
}

function rows(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("#found-calls a.id")];
}

function callOf({ href }: HTMLAnchorElement): string | null {
  return new URL(href).searchParams.get("call");
}

function isOpen(): boolean {
  return !byId("drawer").hidden;
}

/** The server renders the drawer and its parts on every page with this island. */
function byId<Type extends HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type; // sound: the server renders each of them
}

/** Copies what a button of a loaded call names. Buttons of the page itself are islands. */
async function copy(button: HTMLElement, copied: string): Promise<void> {
  await navigator.clipboard.writeText(button.dataset.copy ?? "");
  const status = button.parentElement?.querySelector("[role=status]");
  if (status) status.textContent = copied;
}
