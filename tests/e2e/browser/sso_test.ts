import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { SingleSignOn } from "../../../lib/accounts/mod.ts";
import { provideAdmin } from "../../../lib/admin/services.ts";
import { getUserByEmail, listIdentities } from "../../../lib/store/users/mod.ts";
import { providersOf, settingsOf } from "../../accounts/sso/fake_provider.ts";
import { type OidcServer, startOidcServer } from "../../accounts/sso/oidc_server.ts";
import { servicesUnderTest } from "../../console/console.ts";
import { administrator } from "../../console/people.ts";
import { browserTest } from "./chromium.ts";
import { serveConsole, type ServedConsole, signIn } from "./served_console.ts";
import { lookAt } from "./usage_pages.ts";

interface Site extends AsyncDisposable {
  readonly served: ServedConsole;
  readonly server: OidcServer;
}

const google = {
  id: "google",
  preset: "google",
  clientId: "x",
  domains: ["example.com"],
};

/** The console with a certified OpenID provider, and a button of Google that no test presses. */
async function openSite(localSignIn: "everyone" | "owner"): Promise<Site> {
  const served = await serveConsole();
  const server = await startOidcServer(`${served.origin}/login/sso/acme/callback`);
  const sso = new SingleSignOn(
    providersOf(settingsOf(server, { administratorGroups: ["admins"] }), google),
  );
  provideAdmin({ ...servicesUnderTest(), sso, localSignIn });
  return {
    served,
    server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

const forEveryone = () => openSite("everyone");
const forOwner = () => openSite("owner");

/** Enters a name on the provider's page, and consents. */
async function enterAtProvider(page: Page, { issuer }: OidcServer, name: string): Promise<void> {
  await page.waitForSelector('input[name="login"]');
  assertEquals(new URL(page.url()).origin, issuer);
  await page.type('input[name="login"]', name);
  await page.type('input[name="password"]', "any");
  await submit(page);
  if (new URL(page.url()).origin === issuer) await submit(page);
}

async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click('button[type="submit"]')]);
}

browserTest(
  "browser: a new user signs in at the provider and comes where they wanted to go",
  forEveryone,
  async ({ served: { console: { store }, origin }, server }, browser) => {
    const page = await browser.newPage();
    await page.goto(`${origin}/login?next=/console/log`);
    await Promise.all([page.waitForNavigation(), page.click('a[href^="/login/sso/acme"]')]);
    await enterAtProvider(page, server, "mira");
    assertEquals(page.url(), `${origin}/console/log`);
    const user = await getUserByEmail(store, "mira@example.com");
    assertEquals(user?.role, "member");
    await page.goto(`${origin}/console/account`);
    const text = await page.$eval("main", (main) => main.textContent ?? "");
    assertStringIncludes(text, "Acme · mira@example.com");
  },
);

browserTest(
  "browser: an account is linked and confirmed at the provider",
  forEveryone,
  async ({ served, server }, browser) => {
    const { console: { store, clock }, origin } = served;
    const page = await signIn(browser, served, administrator);
    await page.goto(`${origin}/console/account`);
    await Promise.all([
      page.waitForFunction(() => location.pathname.startsWith("/interaction/")),
      page.click('form[action="/console/account/identities"] button[value="acme"]'),
    ]);
    await enterAtProvider(page, server, "ada");
    assertEquals(page.url(), `${origin}/console/account?done=identity-linked`);
    const [identity] = await listIdentities(store, administrator.id);
    assertEquals(identity.email, "ada@example.com");
    clock.nowMs += 6 * 60_000;
    await page.goto(`${origin}/console/account/totp`);
    assertEquals(new URL(page.url()).pathname, "/console/confirm");
    await Promise.all([
      page.waitForFunction(() => location.pathname.startsWith("/interaction/")),
      page.click('form[action="/console/confirm/sso"] button'),
    ]);
    await enterAtProvider(page, server, "ada");
    assertEquals(page.url(), `${origin}/console/account/totp`);
  },
);

browserTest(
  "browser: a user who declines at the provider reads why on the sign-in page",
  forEveryone,
  async ({ served: { origin } }, browser) => {
    const page = await browser.newPage();
    await page.goto(`${origin}/login`);
    await Promise.all([page.waitForNavigation(), page.click('a[href^="/login/sso/acme"]')]);
    const back = await page.$eval('a[href$="/abort"]', (link) => (link as HTMLAnchorElement).href);
    await page.goto(back);
    assertEquals(new URL(page.url()).pathname, "/login");
    const alert = await page.$eval('[role="alert"]', (element) => element.textContent ?? "");
    assertStringIncludes(alert, "Sign-in at Acme was cancelled.");
  },
);

browserTest(
  "browser: the pages of single sign-on are whole in both themes at every width",
  forEveryone,
  async ({ served, server }, browser) => {
    const { console: { clock }, origin } = served;
    const stranger = await browser.newPage();
    await lookAt(stranger, origin, {
      login_sso: "/login",
      login_sso_refused: "/login?sso=domain&provider=acme",
    });
    const page = await signIn(browser, served, administrator);
    await page.goto(`${origin}/console/account`);
    await Promise.all([
      page.waitForFunction(() => location.pathname.startsWith("/interaction/")),
      page.click('form[action="/console/account/identities"] button[value="acme"]'),
    ]);
    await enterAtProvider(page, server, "ada");
    await lookAt(page, origin, {
      account_sso: "/console/account",
      user_sso: "/console/admin/users/owner",
    });
    clock.nowMs += 6 * 60_000;
    await lookAt(page, origin, { confirm_sso: "/console/confirm?next=/console/account/totp" });
  },
);

browserTest(
  "browser: without passwords only the owner's link shows their form",
  forOwner,
  async ({ served: { origin } }, browser) => {
    const page = await browser.newPage();
    await lookAt(page, origin, { login_sso_only: "/login", login_owner: "/login?local" });
    await page.goto(`${origin}/login`);
    assert(await page.$("#password") === null);
    await Promise.all([page.waitForNavigation(), page.click('a[href="/login?local"]')]);
    assert(await page.$("#password") !== null);
  },
);
