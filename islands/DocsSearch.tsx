import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../components/Icon.tsx";

export interface DocsSearchTexts {
  readonly label: string;
  readonly placeholder: string;
  readonly none: string;
}

interface Match {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
}

const pauseMs = 120;
const shownMax = 8;

/** The search field: Enter opens the results page; with a script, matches appear while typing. */
export default function DocsSearch(
  { query = "", texts }: { query?: string; texts: DocsSearchTexts },
) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(query);
  const { matches, search, close } = useSearch();
  useSlash(() => field.current?.focus());
  return (
    <form
      class="find docs-search"
      action="/docs/search"
      role="search"
      aria-label={texts.label}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) close();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
        if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event);
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        name="q"
        value={typed}
        aria-label={texts.label}
        placeholder={texts.placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          search(value);
        }}
      />
      {matches && <Matches matches={matches} none={texts.none} />}
    </form>
  );
}

function Matches({ matches, none }: { matches: readonly Match[]; none: string }) {
  return (
    <ul class="found">
      {matches.length === 0 && <li class="none">{none}</li>}
      {matches.map(({ href, page, heading }) => (
        <li key={href}>
          <a href={href}>
            <b>{heading || page}</b>
            {heading && <span>{page}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Searches once the reader pauses, and drops the answers to earlier texts. */
function useSearch() {
  const [matches, setMatches] = useState<readonly Match[] | undefined>();
  const latest = useRef(0);
  const search = (text: string) => {
    const turn = ++latest.current;
    setTimeout(async () => {
      if (turn !== latest.current) return;
      const found = text.trim() === "" ? undefined : await find(text);
      if (turn === latest.current) setMatches(found?.slice(0, shownMax));
    }, pauseMs);
  };
  return { matches, search, close: () => setMatches(undefined) };
}

/** Calls `focus` when the reader presses `/` outside of a field. */
function useSlash(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event.target)) return;
      event.preventDefault();
      focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

async function find(text: string): Promise<readonly Match[] | undefined> {
  const response = await fetch(`/docs/search?${new URLSearchParams({ q: text })}`, {
    headers: { accept: "application/json" },
  });
  return response.ok ? await response.json() : undefined;
}

/** Moves the focus between the field and the matches with the arrow keys. */
function move(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, a")];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  event.preventDefault();
  stops[Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1))]?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea");
}
