import { type Context, page, type PageResponse } from "fresh";
import { lazy } from "../../lazy.ts";
import type { AccountState } from "../session/state.ts";
import { readForm } from "./form_body.ts";
import { seeOther } from "./see_other.ts";

/** The declaration of a page with a form. */
interface Form<Data extends object> {
  /** Reads the data of the page before anything is entered. */
  readonly load: (ctx: Context<AccountState>) => Data | Promise<Data>;
  /** The page that has the form, if it is not the form's own address. */
  readonly shownAt?: (ctx: Context<AccountState>) => string;
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
  { load, shownAt, bytesMax, submit }: Form<Data>,
) {
  return {
    async GET(ctx: Context<AccountState>): Promise<Response | PageResponse<Data>> {
      return shownAt ? seeOther(shownAt(ctx)) : page<Data>(await load(ctx));
    },
    async POST(ctx: Context<AccountState>): Promise<Response | PageResponse<Data>> {
      const loaded = lazy(async () => await load(ctx));
      const again: FormPage<Data>["again"] = async (changes, init = { status: 422 }) =>
        page<Data>({ ...await loaded(), ...changes }, init);
      return await submit(ctx, await readForm(ctx.req, bytesMax), { load: loaded, again });
    },
  };
}
