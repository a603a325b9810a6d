import { version } from "../../operations/version.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Formats } from "../page/format.ts";
import type { AccountState } from "../session/state.ts";

/** One fact about the running gateway; times have no text. */
export type AboutFact =
  | { readonly name: Exclude<keyof Catalog["about"]["facts"], "since">; readonly text: string }
  | { readonly name: "since"; readonly atMs: number };

const mebibyte = 1024 * 1024;

/** The versions, the store and the start of this process. */
export async function aboutFacts(
  { services, catalog: { about } }: AccountState,
  formats: Formats,
): Promise<readonly AboutFact[]> {
  const { store } = services.config;
  return [
    { name: "version", text: version },
    { name: "deno", text: Deno.version.deno },
    ...(store ? [{ name: "store", text: await storeText(store, about, formats) } as const] : []),
    { name: "since", atMs: Math.round(performance.timeOrigin) },
    { name: "licence", text: "MIT" },
  ];
}

async function storeText(
  store: NonNullable<AccountState["services"]["config"]["store"]>,
  { stores }: Catalog["about"],
  formats: Formats,
): Promise<string> {
  switch (store.type) {
    case "file": {
      const bytes = await fileBytes(store.path);
      return stores.file(bytes === undefined ? "" : sizeOf(bytes, formats));
    }
    case "server":
    case "postgres":
      return stores[store.type](new URL(store.url).host);
    default:
      return stores[store.type];
  }
}

/** Undefined for a file that cannot be read. */
function fileBytes(path: string): Promise<number | undefined> {
  return Deno.stat(path).then(({ size }) => size, () => undefined);
}

function sizeOf(bytes: number, formats: Formats): string {
  return `${formats.count(Math.max(0.1, Math.round(10 * bytes / mebibyte) / 10))} MiB`;
}
