import { type Context, HttpError, page, type PageResponse } from "fresh";
import { lazy } from "../../lazy.ts";
import type { AccountState } from "../session/state.ts";
import { seeOther } from "./address.ts";
import { takeFlash } from "./flash.ts";

/** The declaration of a page with a form. */
interface Form<Data extends object> {
  /** Reads the data of the page before anything is entered. */
  readonly load: (ctx: Context<AccountState>) => Data | Promise<Data>;
  /** The page that has the form, if it is not the form's own address. */
  readonly shownAt?: (ctx: Context<AccountState>) => string;
  /** True for an address whose page also shows the message of the previous page, as `flash`. */
  readonly showsFlash?: (url: URL) => boolean;
  readonly bytesMax?: number;
  /** Makes the change and redirects, or returns the page with the entered values and faults. */
  readonly submit: (
    ctx: Context<AccountState>,
    form: URLSearchParams,
    page: FormPage<Data>,
  ) => Promise<Response | PageResponse<Data>>;
}

/** The page of a submitted form. */
export interface FormPage<Data> {
  /** Reads the data of the page at the first call and keeps it for the request. */
  readonly load: () => Promise<Data>;
  /** Returns the page with changed data; the status is 422 unless another one is given. */
  readonly again: (
    changes: Partial<Data>,
    init?: { readonly status: number; readonly headers?: HeadersInit },
  ) => Promise<PageResponse<Data>>;
}

/** Defines the handlers of a form page: `GET` shows the form, `POST` submits it. */
export function defineForm<Data extends object>(
  { load, shownAt, showsFlash, bytesMax, submit }: Form<Data>,
) {
  return {
    async GET(ctx: Context<AccountState>): Promise<Response | PageResponse<Data>> {
      if (shownAt) return seeOther(shownAt(ctx));
      const headers = new Headers();
      const flash = showsFlash?.(ctx.url) && await takeFlash(ctx.req, headers, ctx.state);
      return page<Data>({ ...await load(ctx), ...(flash && { flash }) }, { headers });
    },
    async POST(ctx: Context<AccountState>): Promise<Response | PageResponse<Data>> {
      const loaded = lazy(async () => await load(ctx));
      const again: FormPage<Data>["again"] = async (changes, init = { status: 422 }) =>
        page<Data>({ ...await loaded(), ...changes }, init);
      return await submit(ctx, await readForm(ctx.req, bytesMax), { load: loaded, again });
    },
  };
}

/** Maximum size of a form, except administrators' forms with lists of models. */
const formBytesMax = 64 * 1024;
/** Maximum size of a form with a list of models. */
export const listFormBytesMax = 4 * 1024 * 1024;
/** Maximum time for sending a form. */
const formTimeoutMs = 30_000;

/**
 * Reads the fields of a posted form of limited size. Throws `HttpError` with 408 on a timeout, and
 * with 413 or 415 for an invalid form.
 */
export async function readForm(
  request: Request,
  bytesMax = formBytesMax,
  timeoutMs = formTimeoutMs,
): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";", 1)[0].trim().toLowerCase();
  if (request.body === null) return new URLSearchParams();
  if (type !== "application/x-www-form-urlencoded") throw new HttpError(415);
  return new URLSearchParams(await readText(request.body, { bytesMax, timeoutMs }));
}

async function readText(
  body: ReadableStream<Uint8Array>,
  { bytesMax, timeoutMs }: { readonly bytesMax: number; readonly timeoutMs: number },
): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel().catch(() => {});
  }, timeoutMs);
  let text = "";
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      if (bytes > bytesMax) throw new HttpError(413);
      text += decoder.decode(next.value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw new HttpError(408);
  return text + decoder.decode();
}
