/** Work that is shorter shows no progress. */
const silentMs = 1_000;
const everyMs = 200;

/** Receives a count or a share from 0 to 1. */
export type Progress = (done: number) => void;

/**
 * Returns a function that shows the progress on one line of the terminal, from a second after its
 * creation. Standard error that is no terminal gets nothing. Dispose of it at the end.
 */
export function progressLine(
  what: string,
  textOf: (done: number) => string = percent,
): Progress & Disposable {
  let nextAt = performance.now() + silentMs;
  let isShown = false;
  const show = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(text));
  const report = (done: number) => {
    const now = performance.now();
    if (now < nextAt || !Deno.stderr.isTerminal()) return;
    nextAt = now + everyMs;
    isShown = true;
    show(`\r${what}: ${textOf(done)}`);
  };
  return Object.assign(report, {
    [Symbol.dispose]: () => void (isShown && show("\r\x1b[K")),
  });
}

function percent(share: number): string {
  return `${Math.floor(share * 100)}%`;
}
