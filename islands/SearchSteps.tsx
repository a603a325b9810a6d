import { useEffect, useRef, useState } from "preact/hooks";
import { A } from "../components/A.tsx";

export interface SearchStepsProps {
  /** The address of the next step; absent after the last one. */
  readonly next?: string;
  /** The progress of the search, in words. */
  readonly text: string;
  readonly texts: Readonly<Record<"older" | "stop" | "goOn", string>>;
}

type Step = Pick<SearchStepsProps, "next" | "text">;

/** The list is continued by itself up to so many rows, and by as many at each click. */
const fullPage = 50;

/**
 * Continues a search step by step: each step is a page, whose rows are added to this one's. Ends
 * when the list is full or at a click, which also ends the server's work. Without a script it is a
 * link to the next step.
 */
export default function SearchSteps({ next, text, texts }: SearchStepsProps) {
  const { step, isRunning, isBegun, run, stop } = useSteps({ next, text });
  return (
    <div class="search-steps">
      <p class="hint">{step.text}</p>
      <span class="unseen" role="status">{isBegun && !isRunning ? step.text : ""}</span>
      {isBegun && (isRunning || step.next !== undefined) && (
        <button class="button small" type="button" onClick={isRunning ? stop : run}>
          {isRunning ? texts.stop : texts.goOn}
        </button>
      )}
      {!isBegun && step.next !== undefined && (
        <A class="button small" href={step.next}>{texts.older}</A>
      )}
    </div>
  );
}

function useSteps(first: Step) {
  const [step, setStep] = useState(first);
  const [isRunning, setRunning] = useState(false);
  const [isBegun, setBegun] = useState(false);
  const stopper = useRef<AbortController>();
  const stop = () => stopper.current?.abort();
  const run = async () => {
    const { signal } = stopper.current = new AbortController();
    setBegun(true);
    setRunning(true);
    await takeSteps(step, { signal, onStep: setStep });
    setRunning(false);
  };
  useEffect(() => {
    if (first.next !== undefined) void run();
    return stop;
  }, []);
  return { step, isRunning, isBegun, run, stop };
}

async function takeSteps(
  from: Step,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (step: Step) => void },
): Promise<void> {
  const rowsEnough = (Math.floor(shownRows() / fullPage) + 1) * fullPage;
  for (let { next } = from; next !== undefined && !signal.aborted;) {
    const step = await readStep(next, signal);
    if (step === undefined) return;
    onStep(step);
    if (shownRows() >= rowsEnough) return;
    next = step.next;
  }
}

/** Undefined if the step was ended or failed; it can be taken again. */
async function readStep(href: string, signal: AbortSignal): Promise<Step | undefined> {
  try {
    const response = await fetch(href, { signal });
    if (response.redirected) location.assign(href); // to the sign-in page
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const step = page.querySelector<HTMLElement>("[data-search-step]");
    if (step === null) return undefined;
    addCalls(page, step.dataset.next === undefined);
    return { next: step.dataset.next, text: step.dataset.searchStep ?? "" };
  } catch {
    return undefined;
  }
}

/** Adds a page's rows to this page's table; without rows, only the last page has something to say. */
function addCalls(page: Document, isLast: boolean): void {
  const [here, there] = [document, page].map((one) => one.getElementById("found-calls"));
  const [rows, more] = [here, there].map((calls) => calls?.querySelector("tbody"));
  if (rows && more) rows.append(...more.children);
  else if (more || (isLast && !rows)) here?.replaceChildren(...there?.childNodes ?? []);
}

function shownRows(): number {
  return document.querySelectorAll("#found-calls tbody tr").length;
}
