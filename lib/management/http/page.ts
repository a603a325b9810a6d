import { z } from "zod";
import { ManagementError } from "./error.ts";
import type { ApiReply, ManagementCall } from "./operation.ts";
import { named, schemaName } from "./schema.ts";

const limitMax = 100;
const limitDefault = 50;
const cursorCharsMax = 2_000;

/** The query of a list, to be extended by its filters. */
export const pageQuery = z.strictObject({
  limit: z.string().regex(/^\d{1,3}$/, "must be a number from 1 to 100").transform(Number)
    .pipe(z.number().int().min(1).max(limitMax)).default(limitDefault)
    .describe(`The number of objects, 1 to ${limitMax}`)
    .meta({ type: "integer", minimum: 1, maximum: limitMax, default: limitDefault }),
  cursor: z.string().min(1).max(cursorCharsMax).optional()
    .describe("`next_cursor` of the previous page"),
});
/** The requested page of a list. */
type PageQuery = z.output<typeof pageQuery>;

/** The answer of a list of these objects. */
export function listSchema<Item extends z.ZodType>(item: Item) {
  const list = z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe("Null on the last page"),
  });
  const name = schemaName(item);
  return name === undefined ? list : named(`${name}List`, list);
}

/** A page of rows, and the cursor of the next one. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

/**
 * Returns a page of rows, which are in order of `orderOf`: a text that is different for each row. A
 * row that is added or removed meanwhile makes no other row appear twice or never.
 */
export async function cursorPage<Row>(
  rows: readonly Row[],
  orderOf: (row: Row) => string,
  call: ManagementCall<PageQuery>,
): Promise<Page<Row>> {
  const { limit } = call.query;
  const after = await readCursor(call);
  const places = rows.map((row) => ({ row, place: orderOf(row) }))
    .filter(({ place }) => after === undefined || place > after)
    .sort((a, b) => a.place < b.place ? -1 : 1);
  const page = places.slice(0, limit);
  const last = places.length > limit ? page.at(-1) : undefined;
  const next_cursor = last ? await cursorAt(last.place, call) : null;
  return { rows: page.map(({ row }) => row), next_cursor };
}

interface ListBody<Item> {
  readonly data: Item[];
  readonly next_cursor: string | null;
}

/** The page of rows that a call requests as its answer, each row as `view` shows it. */
export async function pageReply<Row, Item>(
  rows: readonly Row[],
  orderOf: (row: Row) => string,
  call: ManagementCall<PageQuery>,
  view: (row: Row) => Item | Promise<Item>,
): Promise<ApiReply<ListBody<Item>>> {
  const { rows: shown, next_cursor } = await cursorPage(rows, orderOf, call);
  return { body: { data: await Promise.all(shown.map(view)), next_cursor } };
}

/** A page that the store has cut as an answer; `next` is the place of the next one. */
export async function storedPageReply<Item>(
  data: Item[],
  next: string | undefined,
  call: Pick<ManagementCall, "url" | "state">,
): Promise<ApiReply<ListBody<Item>>> {
  return { body: { data, next_cursor: next === undefined ? null : await cursorAt(next, call) } };
}

/** The order of records by time, newest first, and by id at the same time. */
export function creationOrder(
  { createdAtMs, id }: { readonly createdAtMs: number; readonly id: string },
): string {
  return `${String(Number.MAX_SAFE_INTEGER - createdAtMs).padStart(16, "0")} ${id}`;
}

/** Seals a place in a list as the cursor that continues there, for this address and these filters. */
async function cursorAt(
  place: string,
  call: Pick<ManagementCall, "url" | "state">,
): Promise<string> {
  const sealed = await call.state.services.store.secretBox.seal(place, contextOf(call));
  return new TextEncoder().encode(sealed).toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * The place of the request's cursor; undefined without one. Throws `invalid_request` for one that
 * this list with these filters did not return.
 */
export async function readCursor(
  call: Pick<ManagementCall<PageQuery>, "query" | "url" | "state">,
): Promise<string | undefined> {
  const { cursor } = call.query;
  if (cursor === undefined) return undefined;
  try {
    const sealed = new TextDecoder().decode(
      Uint8Array.fromBase64(cursor, { alphabet: "base64url" }),
    );
    return await call.state.services.store.secretBox.open(sealed, contextOf(call));
  } catch {
    const message =
      "The cursor is not one of this list with these filters. Start at the first page";
    throw new ManagementError("invalid_request", message, { param: "cursor" });
  }
}

/** A cursor is valid for one list, with the same filters. */
function contextOf({ url: { pathname, searchParams } }: Pick<ManagementCall, "url">): string {
  const filters = new URLSearchParams(searchParams);
  filters.delete("cursor");
  filters.delete("limit");
  filters.sort();
  return `cursor ${pathname}?${filters}`;
}
