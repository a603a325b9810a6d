/** Work that is shorter shows no progress. */
const silentMs = 1_000;

/**
 * Returns a function that shows a share from 0 to 1 on one line of the terminal, from a second
 * after its creation. Standard error that is no terminal gets nothing. Dispose of it at the end.
 */
export function progressLine(what: string): ((share: number) => void) & Disposable {
  const startedAt = performance.now();
  let isShown = false;
  const show = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(text));
  const report = (share: number) => {
    if (!Deno.stderr.isTerminal() || performance.now() - startedAt < silentMs) return;
    isShown = true;
    show(`\r${what}: ${Math.floor(share * 100)}%`);
  };
  return Object.assign(report, {
    [Symbol.dispose]: () => void (isShown && show("\r\x1b[K")),
  });
}
