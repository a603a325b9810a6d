import type { Command } from "commander";
import { type ApiClient, createClient, type JsonRecord } from "./client.ts";
import { jsonText } from "./content.ts";
import { describedOperations } from "./operation.ts";
import { addRequestOptions, readRequest } from "./options.ts";
import { accessOf, type GlobalOptions } from "./settings.ts";
import { listedRows, tableLines } from "./table.ts";
import { CommandError, type Terminal } from "./terminal.ts";

const pageRows = 100;
/** The most pages that one look reads. */
const pagesMax = 20;
/** The calls whose ids are remembered, so that each is printed once. */
const rememberedMax = 10_000;

interface TailOptions extends GlobalOptions {
  readonly interval: string;
  readonly count?: string;
}

/** Adds `calls tail`, which prints calls as they end. */
export function addTail(parent: Command, terminal: Terminal): void {
  const list = describedOperations.find(({ method, path }) =>
    method === "GET" && path === "/calls"
  );
  if (list === undefined) return;
  const query = list.query.filter(({ name }) => name !== "limit" && name !== "cursor");
  const tail = { ...list, query, isList: undefined };
  const command = parent.command("tail")
    .description("Print calls as they end, until interrupted (scope calls:read)")
    .option("--interval <seconds>", "seconds between two looks", "2")
    .option("--count <n>", "end after this number of calls")
    .addHelpText("after", "\nExample:\n  tessera calls tail --json");
  addRequestOptions(command, tail);
  command.action(async () => {
    const options = command.optsWithGlobals<TailOptions>();
    const client = createClient(await accessOf(options, terminal), terminal);
    const { query } = await readRequest(tail, command.opts());
    await follow(client, query, { ...options, terminal });
  });
}

async function follow(
  client: ApiClient,
  filters: Readonly<Record<string, string>>,
  { interval, count = "Infinity", json, terminal }: TailOptions & { readonly terminal: Terminal },
): Promise<void> {
  const query = { ...filters, limit: String(pageRows) };
  const page = async (more = {}) =>
    await client({ method: "GET", path: "/calls", query: { ...query, ...more } });
  const pauseMs = positive("interval", interval) * 1_000;
  let left = positive("count", count);
  const known = new Set(listedRows(await page()).map(({ id }) => String(id)));
  const { interrupted } = terminal;
  while (left > 0 && !interrupted.aborted) {
    await pause(pauseMs, interrupted);
    const fresh = (await unknownCalls(page, known)).toReversed();
    for (const row of fresh.slice(0, left)) print(row, { terminal, json });
    left -= fresh.length;
    for (const { id } of fresh) known.add(String(id));
    forgetOldest(known);
  }
}

/** The calls that are not known, newest first: page after page, until one has a known call. */
async function unknownCalls(
  page: (more?: { readonly cursor: string }) => ReturnType<ApiClient>,
  known: ReadonlySet<string>,
): Promise<readonly JsonRecord[]> {
  const found: JsonRecord[] = [];
  let answer = await page();
  for (let pages = 1;; pages++) {
    const rows = listedRows(answer);
    const fresh = rows.filter(({ id }) => !known.has(String(id)));
    found.push(...fresh);
    const cursor = answer?.next_cursor;
    if (fresh.length < rows.length || typeof cursor !== "string" || pages === pagesMax) {
      return found;
    }
    answer = await page({ cursor });
  }
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new CommandError("usage", `--${option} needs a number above 0`);
}

function print(
  row: JsonRecord,
  { terminal, json }: { readonly terminal: Terminal; readonly json?: true },
): void {
  terminal.print(json ? jsonText(row, 0) : tableLines([row], "calls")[1]);
}

function forgetOldest(known: Set<string>): void {
  for (const id of known) {
    if (known.size <= rememberedMax) return;
    known.delete(id);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
