import { assertEquals } from "@std/assert";
import type { HTTPResponse, Page } from "puppeteer-core";
import { addressOf, consoleRoutes } from "../../console/routes.ts";

/** One page of `routes/`, with something on it. */
export interface StockedPage {
  /** Such as `/console/token/[id]/edit`. */
  readonly pattern: string;
  readonly address: string;
  /** Of its pictures. */
  readonly name: string;
  /** 410 for the set-up link: the first account is there, so nobody can set it up again. */
  readonly status: number;
  /** Looked at by a visitor without an account: who has one is led elsewhere. */
  readonly signedOut: boolean;
}

const queries: Readonly<Record<string, string>> = {
  "/console/pricing/model": "?name=house-model",
  "/console/projects/[id]/member": "?account=usr_member",
};

/** Pages that a form shows, or another state: their address leads elsewhere. */
const leadsTo: Readonly<Record<string, string>> = {
  "/console/admin/upstreams/[id]/test": "/console/admin/upstreams/vendor",
  "/console/admin/users/[id]/funds": "/console/admin/users/usr_member",
  "/console/connect/check": "/console/connect",
  "/console/account/totp": "/console/account",
  "/console/account/identities": "/console/account",
  "/console/account/password": "/console/account",
  "/console/token/bulk": "/console/token",
  "/console/topup/redeem": "/console/topup",
  "/console/topup/pay": "/console/topup",
  "/console/confirm/sso": "/console",
  "/login/code": "/login",
};

/** Needs the API of a gateway: `reference_test.ts` visits it. */
const visitedElsewhere = "/docs/api/[group]";

/** Every page that `routes/` holds: a new one is visited by itself, or the tests fail. */
export function everyPage(
  origin: string,
  samples: Readonly<Record<string, string>>,
): readonly StockedPage[] {
  const pages = consoleRoutes.filter(({ isPage, pattern }) =>
    isPage && pattern !== visitedElsewhere
  );
  return pages.map(({ pattern }) => ({
    pattern,
    address: origin + addressOf(pattern, samples) + (queries[pattern] ?? ""),
    name: `page${pattern.replaceAll("/", "_").replace(/[[\]]/g, "")}`,
    signedOut: !/^\/(console|docs)/.test(pattern),
    status: pattern.startsWith("/setup") ? 410 : 200,
  }));
}

/** Opens a page, which must be there and no other. */
export async function visit(page: Page, one: StockedPage): Promise<HTTPResponse | null> {
  const response = await page.goto(one.address, { waitUntil: "load" });
  assertEquals(response?.status(), one.status, one.address);
  const expected = leadsTo[one.pattern] ?? new URL(one.address).pathname;
  assertEquals(new URL(page.url()).pathname, expected, "it leads elsewhere");
  return response;
}
