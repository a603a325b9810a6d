import { useRef, useState } from "preact/hooks";
import { type SnippetInput, type SnippetKind, snippetKinds } from "../../lib/playground/mod.ts";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";
import { keepLanguage, lastLanguage } from "./last_language.ts";
import type { PlaygroundTexts } from "./texts.ts";

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
