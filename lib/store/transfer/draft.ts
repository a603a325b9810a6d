import { basename, dirname, extname, join } from "node:path";

/** A process that still writes a draft changes it all the time; an older one was left behind. */
const staleMs = 3_600_000;
const uniqueEnding = /^\.[0-9a-f-]{36}\.draft/;

/** Names a new file beside `target`, and removes earlier drafts that were left behind. */
export function draftFor(target: string): string {
  for (const path of staleDrafts(target)) removeIfThere(path);
  return `${target}.${crypto.randomUUID()}.draft${extname(target)}`;
}

function staleDrafts(target: string): string[] {
  const folder = dirname(target);
  const isDraft = (name: string) =>
    name.startsWith(basename(target)) && uniqueEnding.test(name.slice(basename(target).length));
  return [...Deno.readDirSync(folder)]
    .filter(({ name }) => isDraft(name))
    .map(({ name }) => join(folder, name))
    .filter((path) => Date.now() - (Deno.statSync(path).mtime?.getTime() ?? Infinity) > staleMs);
}

const signals = [["SIGINT", 130], ["SIGTERM", 143]] as const;

/** Removes files or folders when it is disposed of, and when SIGINT or SIGTERM ends the process. */
export function removedAtEnd(...paths: readonly string[]): Disposable {
  const remove = () => {
    for (const path of paths) removeIfThere(path, { recursive: true });
  };
  const stops = signals.map(([signal, code]) => {
    const end = () => {
      remove();
      Deno.exit(code);
    };
    Deno.addSignalListener(signal, end);
    return () => Deno.removeSignalListener(signal, end);
  });
  return {
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
      remove();
    },
  };
}

export function removeIfThere(path: string, options?: Deno.RemoveOptions): void {
  try {
    Deno.removeSync(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
