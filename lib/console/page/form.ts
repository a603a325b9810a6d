import { type Context, HttpError, page, type PageResponse } from "fresh";
import { GatewayError } from "../../canonical/mod.ts";
import { readByteBody } from "../../http/body/body.ts";
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
  const limits = { bodyBytesMax: bytesMax, bodyTimeoutMs: timeoutMs };
  const bytes = await readByteBody(request, limits).catch(throwStatus);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** Throws the status of a body that could not be read. */
function throwStatus(thrown: unknown): never {
  if (!(thrown instanceof GatewayError)) throw thrown;
  throw new HttpError(thrown.status === 408 || thrown.status === 413 ? thrown.status : 400);
}
