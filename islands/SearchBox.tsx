import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../components/Icon.tsx";
import type { HitGroup as FoundGroup, HitKind } from "../lib/console/search/search.ts";
import { addRecent, type Recent, recentOf } from "../lib/console/search/recent.ts";
import { isTyping } from "./Shortcuts.tsx";

export interface SearchBoxProps {
  /** The text on the page of results. */
  readonly text?: string;
  /** True if `/` moves to the field, beside ⌘K and Ctrl K. */
  readonly slash: boolean;
  readonly texts: {
    readonly label: string;
    readonly placeholder: string;
    readonly none: string;
    readonly kinds: Readonly<Record<HitKind | "recent", string>>;
  };
  /** The id of the account, which recent pages are kept for. */
  readonly reader: string;
}

type HitGroup = Pick<FoundGroup, "hits"> & { readonly kind: HitKind | "recent" };

const pauseMs = 100;
const listId = "search-hits";

/** The search field: a form for a page of results; with a script, hits appear while typing. */
export default function SearchBox({ text = "", slash, texts, reader }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null);
  const { groups, isAnswered, search, close } = useSearch(reader);
  const [at, setAt] = useState(0);
  const [typed, setTyped] = useState(text);
  useSearchKeys(field, slash);
  useEffect(() => setAt(0), [groups]);
  const hits = groups?.flatMap(({ hits }) => hits) ?? [];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
    if (event.isComposing || hits.length === 0) return;
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) setAt((at + by + hits.length) % hits.length);
    else if (event.key === "Enter" && isAnswered(field.current?.value)) {
      location.assign(hits[at].href);
    } else return;
    event.preventDefault();
  };
  return (
    <form class="find" action="/console/search" role="search" aria-label={texts.label}>
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        name="q"
        value={typed}
        role="combobox"
        aria-label={texts.label}
        aria-expanded={groups ? "true" : "false"}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-keyshortcuts="Meta+K Control+K"
        aria-activedescendant={hits.length > 0 ? `${listId}-${at}` : undefined}
        placeholder={texts.placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          search(value);
        }}
        onFocus={({ currentTarget: { value } }) => search(value)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">Ctrl K</kbd>
      {groups && <Hits groups={groups} at={at} texts={texts} />}
      <span class="unseen" role="status">{groups?.length === 0 && texts.none}</span>
    </form>
  );
}

function Hits(
  { groups, at, texts }: {
    groups: readonly HitGroup[];
    at: number;
    texts: SearchBoxProps["texts"];
  },
) {
  const hits = groups.flatMap(({ hits }) => hits);
  useEffect(() => document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: "nearest" }));
  return (
    <div
      class="hits"
      id={listId}
      role="listbox"
      aria-label={texts.label}
      onMouseDown={(event) => event.preventDefault()} // keeps the focus in the field
    >
      {groups.length === 0 && <p class="soft">{texts.none}</p>}
      {groups.map(({ kind, hits: some }) => (
        <div key={kind} role="group" aria-labelledby={`${listId}-${kind}`}>
          <p id={`${listId}-${kind}`} role="presentation">{texts.kinds[kind]}</p>
          {some.map((hit) => (
            <a
              key={hit.href}
              id={`${listId}-${hits.indexOf(hit)}`}
              role="option"
              tabIndex={-1}
              href={hit.href}
              aria-selected={hits.indexOf(hit) === at}
            >
              <b>{hit.name}</b>
              {hit.note && <span>{hit.note}</span>}
            </a>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Searches once the reader pauses, and drops the answers to earlier texts. */
function useSearch(reader: string) {
  const [groups, setGroups] = useState<readonly HitGroup[] | undefined>();
  const latest = useRef(0);
  useEffect(() => addRecent(reader), [reader]);
  const answered = useRef("");
  const close = () => {
    latest.current++;
    setGroups(undefined);
  };
  const search = (text: string) => {
    const turn = ++latest.current;
    setTimeout(async () => {
      if (turn !== latest.current) return;
      const found = await find(text);
      if (turn !== latest.current) return;
      answered.current = text;
      setGroups(text.trim() === "" ? withRecent(found, recentOf(reader)) : found);
    }, pauseMs);
  };
  /** False while the hits are those of an earlier text: Enter then sends the form. */
  const isAnswered = (text: string | undefined) => text === answered.current;
  return { groups, isAnswered, search, close };
}

function withRecent(
  found: readonly HitGroup[] | undefined,
  hits: readonly Recent[],
): readonly HitGroup[] | undefined {
  return found && hits.length > 0 ? [{ kind: "recent", hits }, ...found] : found;
}

async function find(text: string): Promise<readonly HitGroup[] | undefined> {
  const query = new URLSearchParams({ q: text });
  const headers = { accept: "application/json" };
  const response = await fetch(`/console/search?${query}`, { headers }).catch(() => undefined);
  return response?.ok ? await response.json() : undefined;
}

/** Moves to the field, or to the page of search where a small screen has no field. */
function useSearchKeys(field: { readonly current: HTMLInputElement | null }, slash: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isK = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      const isSlash = slash && event.key === "/" && !event.ctrlKey && !event.metaKey &&
        !isTyping(event.target);
      if (!isK && !isSlash) return;
      event.preventDefault();
      if (field.current?.offsetParent) field.current.select();
      else location.assign("/console/search");
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [slash]);
}
