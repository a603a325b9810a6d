import { type Context, page, type PageResponse } from "fresh";
import type { AccountState, ConsoleState } from "../session/state.ts";
import { readForm } from "./form_body.ts";
import { seeOther } from "./see_other.ts";

/** The declaration of a page with a form. */
interface Form<Data extends object, State> {
  /** Reads the data of the page before anything is entered. */
  readonly load: (ctx: Context<State>) => Data | Promise<Data>;
  /** The page that has the form, if it is not the form's own address. */
  readonly shownAt?: (ctx: Context<State>) => string;
  readonly bytesMax?: number;
  /** Makes the change and redirects, or returns the page `again` with the entered values and faults. */
  readonly submit: (
    ctx: Context<State>,
    form: URLSearchParams,
    again: Again<Data>,
  ) => Promise<Response | PageResponse<Data>>;
}

/** Loads the page again, with changed data; the status is 422 unless another one is given. */
type Again<Data> = (
  changes: Partial<Data>,
  init?: { readonly status: number; readonly headers?: HeadersInit },
) => Promise<PageResponse<Data>>;

/** Defines the handlers of a form page: `GET` shows the form, `POST` submits it. */
export function defineForm<Data extends object, State extends ConsoleState = AccountState>(
  { load, shownAt, bytesMax, submit }: Form<Data, State>,
) {
  return {
    async GET(ctx: Context<State>): Promise<Response | PageResponse<Data>> {
      return shownAt ? seeOther(shownAt(ctx)) : page<Data>(await load(ctx));
    },
    async POST(ctx: Context<State>): Promise<Response | PageResponse<Data>> {
      const again: Again<Data> = async (changes, init = { status: 422 }) =>
        page<Data>({ ...await load(ctx), ...changes }, init);
      return await submit(ctx, await readForm(ctx.req, bytesMax), again);
    },
  };
}

/** Returns the action that `?done=` names, if there is a text about it. */
export function doneIn<Texts extends object>(url: URL, texts: Texts): keyof Texts | undefined {
  const done = url.searchParams.get("done") ?? "";
  return Object.hasOwn(texts, done) ? done as keyof Texts : undefined; // its own key
}
