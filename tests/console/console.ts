import { assertEquals } from "@std/assert";
import { Builder } from "fresh/dev";
import { app } from "../../app.ts";
import { Passwords, startSession } from "../../lib/accounts/mod.ts";
import { type AdminServices, adminServices, provideAdmin } from "../../lib/admin/services.ts";
import { type Limits, loadConfig } from "../../lib/config.ts";
import { guarded } from "../../lib/console/mod.ts";
import { createGroup } from "../../lib/store/catalog/mod.ts";
import { Directory } from "../../lib/store/directory/mod.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { createUser, type User } from "../../lib/store/users/mod.ts";
import { administrator, member, nowMs } from "./people.ts";

const apply = await new Builder({
  root: new URL("../..", import.meta.url).pathname,
  serverEntry: "app.ts",
  islandDir: "islands/bundles",
}).build({ snapshot: "memory" });
apply(app);
export const consoleHandler = guarded(app.handler());

/** One for all tests of a process: starting its worker takes longer than any test. */
export const testPasswords = new Passwords();
globalThis.addEventListener("unload", () => testPasswords.close());

/** The console over a store in memory, and what a test asks of it. */
export interface TestConsole {
  readonly store: Store;
  readonly directory: Directory;
  readonly clock: { nowMs: number };
  readonly fetch: (request: Request) => Promise<Response>;
  /** A browser with its own cookies. */
  readonly browser: (options?: BrowserOptions) => TestBrowser;
  readonly signedIn: (
    user: User,
    from?: { readonly userAgent?: string; readonly ip?: string },
  ) => Promise<TestBrowser>;
}

export interface BrowserOptions {
  readonly origin?: string;
  readonly language?: string;
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

export interface TestBrowser {
  readonly cookies: Map<string, string>;
  readonly get: (path: string, headers?: HeadersInit) => Promise<Page>;
  readonly post: (
    path: string,
    form: Readonly<Record<string, string>> | [string, string][],
    headers?: HeadersInit,
  ) => Promise<Page>;
}

/** Runs a test over a console with an administrator, a member and two groups. */
export function testConsole(name: string, test: (console: TestConsole) => Promise<void>): void {
  Deno.test({
    name: `console: ${name}`,
    // The worker that checks passwords outlives the test that starts it.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      const opened = await openTestConsole();
      try {
        await test(opened.console);
      } finally {
        await opened.close();
      }
    },
  });
}

export async function openTestConsole({ empty = false, sessionDays = 30 } = {}) {
  const store = await openStore({ location: { type: "memory" } });
  const group = { models: ["*"], formats: ["*"], priceRatio: 1, origin: "console" } as const;
  await createGroup(store, { ...group, id: "default" });
  await createGroup(store, { ...group, id: "coding" });
  if (!empty) await Promise.all([administrator, member].map((one) => createUser(store, one)));
  const directory = await Directory.load(store);
  const clock = { nowMs };
  const { limits } = loadConfig({});
  const config = { limits: { ...limits, sessionDays } };
  provideAdmin({ store, directory, config, passwords: testPasswords, now: () => clock.nowMs });
  const fetch = (request: Request) => consoleHandler(request, info);
  const browser = (options: BrowserOptions = {}) => newBrowser(fetch, options);
  const console: TestConsole = {
    store,
    directory,
    clock,
    fetch,
    browser,
    signedIn: async (who, from) => {
      const one = browser();
      const { token } = await startSession(store, who, { nowMs: clock.nowMs, ...from });
      one.cookies.set("__Host-tessera", token);
      return one;
    },
  };
  return { console, close: () => directory.close().then(() => store.close()) };
}

const info: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "203.0.113.7", port: 1 },
  completed: Promise.resolve(),
};

function newBrowser(
  fetch: TestConsole["fetch"],
  { origin = "http://localhost", language }: BrowserOptions,
): TestBrowser {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit): Promise<Page> => {
    const headers = new Headers(init.headers);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("cookie", cookie);
    if (language) headers.set("accept-language", language);
    const response = await fetch(new Request(origin + path, { ...init, headers }));
    for (const one of response.headers.getSetCookie()) keep(cookies, one);
    return {
      status: response.status,
      headers: response.headers,
      html: await textOrBeginning(response),
    };
  };
  return {
    cookies,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, form, headers = { "sec-fetch-site": "same-origin" }) =>
      ask(path, { method: "POST", headers, body: new URLSearchParams(form) }),
  };
}

/** The time after which a stream that does not end is no longer read. */
const streamReadMs = 300;

/** The whole body, or the beginning of an event stream, which may never end. */
async function textOrBeginning(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return await response.text();
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => reader?.cancel(), streamReadMs);
  let text = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    text += next.value;
  }
  clearTimeout(timer);
  return text;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair, ...attributes] = line.split("; ");
  const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
  const gone = value === "" || attributes.some((one) => one.startsWith("Expires=Thu, 01 Jan 1970"));
  if (gone) cookies.delete(name);
  else cookies.set(name, value);
}

/** Submits the page's undo as its button does; undefined if the page offers none. */
export async function undoFrom({ html }: Page, browser: TestBrowser): Promise<Page | undefined> {
  const [undo, path] =
    /<form class="undo" method="post" action="([^"]*)"[^]*?<\/form>/.exec(html) ?? [];
  if (undo === undefined) return undefined;
  const fields = [...undo.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const form = fields.map(([, name, value]): [string, string] => [name, value]);
  return await browser.post(path.replaceAll("&amp;", "&"), form);
}

/** The services of the console under test. */
export function servicesUnderTest(): AdminServices {
  const services = adminServices();
  if (!services) throw new Error("The console has no services");
  return services;
}

/** Sets the most rows that a page may have. */
export function withRowsMax(pageRowsMax: number): void {
  withLimits({ pageRowsMax });
}

export function withLimits(changed: Partial<Limits>): void {
  const services = servicesUnderTest();
  const limits = { ...services.config.limits, ...changed };
  provideAdmin({ ...services, config: { ...services.config, limits } });
}

export function assertRedirect(page: Page, to: string): void {
  assertEquals([page.status, page.headers.get("location")], [303, to]);
}

/** The text of a page without its markup. */
export function textOf(html: string): string {
  return html.slice(html.indexOf("<body"))
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");
}
