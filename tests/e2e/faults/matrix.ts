import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import type { TestGateway } from "../gateway.ts";
import { type Fault, faults } from "./faults.ts";
import { modelFor, postTo } from "./faulty_gateway.ts";
import { type Judged, judgeError, judgeStream, judgeWhole } from "./judged.ts";
import { rowOf } from "./settled.ts";

/** A call of the matrix. */
export interface Cell {
  readonly fault: Fault;
  readonly caller: FormatName;
  readonly upstreamFormat: FormatName;
  readonly streamed: boolean;
}

/** The outcome of a cell. */
export interface Result extends Judged {
  readonly cell: Cell;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly tookMs: number;
  readonly row: RequestLogRow;
}

/** Where a fault is heavy, each format meets each of the four twice: as the caller's and as the upstream's. */
const otherOf: Readonly<Record<FormatName, FormatName>> = {
  "chat-completions": "messages",
  messages: "responses",
  responses: "generate-content",
  "generate-content": "chat-completions",
};

/** Every call of the matrix. */
export const cells: readonly Cell[] = faults.flatMap((fault) =>
  formatNames.flatMap((caller) =>
    (fault.isHeavy ? [caller, otherOf[caller]] : formatNames).flatMap((upstreamFormat) =>
      [false, true].map((streamed) => ({ fault, caller, upstreamFormat, streamed }))
    )
  )
);

const atOnce = 24;
const heavyAtOnce = 6;

/** The results of all calls: the heavy ones last, fewer of them at a time. */
export async function callAll(gateway: TestGateway): Promise<readonly Result[]> {
  const work = (cell: Cell) => resultOf(cell, gateway);
  const light = await inTurn(cells.filter(({ fault }) => !fault.isHeavy), atOnce, work);
  const heavy = await inTurn(cells.filter(({ fault }) => fault.isHeavy), heavyAtOnce, work);
  return [...light, ...heavy];
}

/** Works through items in order, some of them at the same time. */
async function inTurn<In, Out>(
  items: readonly In[],
  atOnce: number,
  work: (item: In) => Promise<Out>,
): Promise<readonly Out[]> {
  const waiting = items.entries();
  const done: Out[] = [];
  const one = async () => {
    for (const [at, item] of waiting) done[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return done;
}

async function resultOf(cell: Cell, gateway: TestGateway): Promise<Result> {
  const { fault, caller, upstreamFormat, streamed } = cell;
  const model = modelFor(fault, upstreamFormat, `${caller}.${streamed ? "streamed" : "whole"}`);
  const startedAt = performance.now();
  const response = await postTo(gateway, caller, { model, stream: streamed });
  const body = await textSoFar(response);
  const tookMs = performance.now() - startedAt;
  const row = await rowOf(gateway, response.headers.get("x-request-id"));
  const judged = response.status !== 200
    ? judgeError(caller, body, row.errorCode)
    : streamed
    ? judgeStream(caller, body)
    : judgeWhole(caller, body);
  const retryAfter = response.headers.get("retry-after");
  return { cell, ...judged, status: response.status, retryAfter, tookMs, row };
}

/** A call in words. */
export function nameOf(
  { cell: { fault, caller, upstreamFormat, streamed } }: Pick<Result, "cell">,
) {
  return `${fault.name}, ${streamed ? "streamed" : "whole"}, ${upstreamFormat} for ${caller}`;
}

/** Fault × format: what its caller gets, whole | streamed; two words where the upstream's format matters. */
export function print(results: readonly Result[]): void {
  const cellOf = (fault: Fault, caller: FormatName) =>
    [false, true].map((streamed) => {
      const words = results.filter(({ cell }) =>
        cell.fault === fault && cell.caller === caller && cell.streamed === streamed
      ).map(wordOf);
      return [...new Set(words)].join("/");
    }).join(" | ");
  const lines = faults.map((fault) => [
    fault.name,
    ...formatNames.map((caller) => cellOf(fault, caller)),
  ]);
  const rows = [["whole | streamed", ...formatNames], ...lines];
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  for (const row of rows) console.log(row.map((word, at) => word.padEnd(widths[at])).join("   "));
}

function wordOf({ type, status, row }: Result): string {
  if (type === "completes") return "answer";
  return type === "fails" ? `${status}` : `200 … ${row.outcome}`;
}
