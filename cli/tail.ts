import type { Command } from "commander";
import { type ApiClient, createClient, type JsonRecord } from "./client.ts";
import { describedOperations } from "./operation.ts";
import { addRequestOptions, readRequest } from "./options.ts";
import { listedRows } from "./output.ts";
import { accessOf, type GlobalOptions } from "./settings.ts";
import { tableLines } from "./table.ts";
import type { Terminal } from "./terminal.ts";

const pageRows = 100;
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
  const look = async () => listedRows(await client({ method: "GET", path: "/calls", query }));
  const known = new Set((await look()).map(({ id }) => String(id)));
  const { interrupted } = terminal;
  let left = Number(count);
  while (left > 0 && !interrupted.aborted) {
    await pause(Number(interval) * 1_000, interrupted);
    const fresh = (await look()).filter(({ id }) => !known.has(String(id))).toReversed();
    for (const row of fresh.slice(0, left)) print(row, { terminal, json });
    left -= fresh.length;
    for (const { id } of fresh) known.add(String(id));
    forgetOldest(known);
  }
}

function print(
  row: JsonRecord,
  { terminal, json }: { readonly terminal: Terminal; readonly json?: true },
): void {
  terminal.print(json ? JSON.stringify(row) : tableLines([row], "calls")[1]);
}

function forgetOldest(known: Set<string>): void {
  for (const id of known) {
    if (known.size <= rememberedMax) return;
    known.delete(id);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
