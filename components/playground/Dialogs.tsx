import { useRef, useState } from "preact/hooks";
import { type SnippetInput, type SnippetKind, snippetKinds } from "../../lib/playground/mod.ts";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";
import type { PlaygroundTexts } from "./use_playground.ts";

const names = { curl: "curl", python: "Python", typescript: "TypeScript" } as const;

type Snippets = Readonly<Record<SnippetKind, string>>;

interface Shown {
  /** Absent while its writers are loaded. */
  readonly code?: Snippets;
  /** True if the fields make no request. */
  readonly isFaulty: boolean;
}

/** A request in every language. Their writers load with the first one, and not with the page. */
async function snippetsOf(input: Omit<SnippetInput, "kind">): Promise<Snippets> {
  const { snippetOf } = await import("../../lib/playground/snippets.ts");
  const write = (kind: SnippetKind) => snippetOf({ ...input, kind });
  return { curl: write("curl"), python: write("python"), typescript: write("typescript") };
}

interface CodeDialogProps {
  /** The request that would be sent now, built when the dialog opens. */
  readonly snippet: () => Omit<SnippetInput, "kind"> | undefined;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
}

/** The next request as code for a terminal or a program. */
export function CodeDialog({ snippet, texts, copyTexts }: CodeDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [kind, choose] = useState<SnippetKind>("curl");
  const [{ code, isFaulty }, show] = useState<Shown>({ isFaulty: false });
  const open = async () => {
    const input = snippet();
    choose(lastLanguage());
    show({ isFaulty: input === undefined });
    dialog.current?.showModal();
    if (input) show({ code: await snippetsOf(input), isFaulty: false });
  };
  return (
    <>
      <button class="button small with-script" type="button" onClick={open}>
        <Icon name="code" small />
        {texts.code}
      </button>
      <dialog class="dialog code-dialog" ref={dialog} aria-labelledby="code-title">
        <div class="inside">
          <h2 id="code-title">{texts.codeTitle}</h2>
          <div class="segments" role="group" aria-labelledby="code-title">
            {snippetKinds.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === kind ? "true" : "false"}
                onClick={() => {
                  choose(one);
                  keepLanguage(one);
                }}
                {...untranslated}
              >
                {names[one]}
              </button>
            ))}
          </div>
          {isFaulty && <p>{texts.faults.fields}</p>}
          {code && (
            <div class="snippet">
              <pre tabIndex={0} role="region" aria-label={names[kind]}><code
                {...untranslated}
              >{code[kind]}</code></pre>
              <CopyButton text={code[kind]} label={texts.copyCode} texts={copyTexts} />
            </div>
          )}
          <p class="hint">{texts.codeText}</p>
          <div class="actions">
            <button class="button" type="button" onClick={() => dialog.current?.close()}>
              {texts.close}
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}

const name = "playground-code";

/** The language that the reader last opened code in. */
function lastLanguage(): SnippetKind {
  try {
    const kept = localStorage.getItem(name);
    return snippetKinds.find((one) => one === kept) ?? "curl";
  } catch {
    return "curl"; // browsers can refuse storage
  }
}

function keepLanguage(language: SnippetKind): void {
  try {
    localStorage.setItem(name, language);
  } catch {
    // the choice holds for this page only
  }
}

interface LinkDialogProps {
  /** The address with models and parameters. */
  readonly link: string;
  /** The texts of the page by field, which the link has only on request. */
  readonly written: Readonly<Record<string, string>>;
  readonly texts: PlaygroundTexts;
  readonly copyTexts: CopyTexts;
}

/** The link to this page. Texts go into its fragment, which browsers do not send to servers. */
export function LinkDialog({ link, written, texts, copyTexts }: LinkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [withTexts, include] = useState(false);
  const fields = Object.entries(written).filter(([, text]) => text.trim() !== "");
  const isLong = withTexts && fields.length > 0;
  const address = isLong ? `${link}#${new URLSearchParams(fields)}` : link;
  return (
    <>
      <button
        class="button small with-script"
        type="button"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="link" small />
        {texts.saveLink}
      </button>
      <dialog class="dialog code-dialog" ref={dialog} aria-labelledby="link-title">
        <div class="inside">
          <h2 id="link-title">{texts.linkTitle}</h2>
          <p class="hint">{isLong ? texts.linkWithTexts : texts.linkText}</p>
          <div class="snippet">
            <pre tabIndex={0}><code>{address}</code></pre>
            <CopyButton text={address} label={texts.copyLink} texts={copyTexts} />
          </div>
          <label class="tick">
            <input
              type="checkbox"
              checked={withTexts}
              disabled={fields.length === 0}
              onChange={({ currentTarget }) => include(currentTarget.checked)}
            />
            {texts.linkInclude}
          </label>
          <div class="actions">
            <button class="button" type="button" onClick={() => dialog.current?.close()}>
              {texts.close}
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}
