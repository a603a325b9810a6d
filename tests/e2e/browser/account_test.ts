import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Secret, TOTP } from "otpauth";
import type { CDPSession, Page } from "puppeteer-core";
import { startSession } from "../../../lib/accounts/mod.ts";
import { updateSettings } from "../../../lib/store/catalog/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { listPasskeys, updateUser } from "../../../lib/store/users/mod.ts";
import { testPasswords } from "../../console/console.ts";
import { administrator, nowMs } from "../../console/people.ts";
import { check, everywhere } from "./look.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

const password = "correct horse battery";

/** An authenticator that Chromium itself plays: it holds passkeys and says who it is at once. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.createCDPSession();
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

async function signOut(page: Page, { origin }: ServedConsole): Promise<void> {
  await page.evaluate(() => document.querySelector<HTMLElement>("#account-menu")?.showPopover());
  await Promise.all([
    page.waitForNavigation(),
    page.click('#account-menu form[action="/logout"] button'),
  ]);
  assertEquals(page.url(), `${origin}/login?signed-out`);
}

/** Turns the second step on by its page; returns what makes its codes. */
async function turnOn(page: Page, { origin, console }: ServedConsole): Promise<() => string> {
  await page.goto(`${origin}/console/account/totp`);
  const text = await page.$eval(".secret-text code", (code) => code.textContent ?? "");
  const totp = new TOTP({ secret: Secret.fromBase32(text.replaceAll(" ", "")) });
  const code = () => totp.generate({ timestamp: console.clock.nowMs });
  await page.type("#code", code());
  await Promise.all([page.waitForNavigation(), page.click("main button.primary")]);
  return code;
}

async function ownerPassword(store: Store): Promise<void> {
  const passwordHash = await testPasswords.hash(password);
  await updateUser(store, administrator.id, (current) => ({ ...current, passwordHash }));
}

signedInTest(
  "a passkey is added on the account's page and signs in without a name",
  async (page, served) => {
    const { console: { store }, origin } = served;
    const session = await addAuthenticator(page);
    await page.goto(`${origin}/console/account`);
    await Promise.all([page.waitForNavigation(), page.click("main .passkey button")]);
    assertEquals(page.url(), `${origin}/console/account?done=passkey-added`);
    const [passkey] = await listPasskeys(store, administrator.id);
    assertEquals([passkey.rpId, passkey.name], ["localhost", "Chrome on Linux"]);
    assertStringIncludes(
      await page.$eval(".passkey-list", (list) => list.textContent ?? ""),
      "Chrome on Linux",
    );
    await signOut(page, served);
    await page.goto(`${origin}/login?next=/console/log`);
    if (new URL(page.url()).pathname === "/login") {
      await Promise.all([
        page.waitForFunction(() => location.pathname === "/console/log"),
        page.click(".passkey button"),
      ]).catch(() => {}); // the browser may have offered it, and gone on, by itself
    }
    await page.waitForFunction(() => location.pathname === "/console/log");
    const [used] = await listPasskeys(store, administrator.id);
    assert(used.lastUsedAtMs === served.console.clock.nowMs);
    await session.detach();
  },
);

signedInTest("two steps: turned on, asked for at the sign-in, by code", async (page, served) => {
  const { console, origin } = served;
  await ownerPassword(console.store);
  const code = await turnOn(page, served);
  assertEquals(await page.$$eval(".recovery li", ({ length }) => length), 10);
  await Promise.all([page.waitForNavigation(), page.click("main a.primary")]);
  assertEquals(page.url(), `${origin}/console/account`);
  await signOut(page, served);
  console.clock.nowMs += 60_000;
  await page.goto(`${origin}/login`);
  await page.type("#email", administrator.email);
  await page.type("#password", password);
  await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
  assertEquals(new URL(page.url()).pathname, "/login/code");
  await page.type("#code", code());
  await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
  assertEquals(page.url(), `${origin}/console`);
});

signedInTest(
  "a form that waits for a proof goes on by itself, without a script too",
  async (page, served) => {
    const { console, origin } = served;
    await ownerPassword(console.store);
    await page.setJavaScriptEnabled(false);
    await page.goto(`${origin}/console/admin/users/owner`);
    console.clock.nowMs += 5 * 60_000;
    await page.click('details:has(form[action$="/funds"]) > summary');
    await page.type("#amount", "5");
    await page.type("#reason", "workshop");
    await Promise.all([
      page.waitForNavigation(),
      page.click('form[action$="/funds"] button[type="submit"]'),
    ]);
    assertEquals(new URL(page.url()).pathname, "/console/confirm");
    await page.type("#password", password);
    await Promise.all([page.waitForNavigation(), page.click("main button.primary")]);
    assertEquals(page.url(), `${origin}/console/admin/users/owner?done=funds`);
  },
);

signedInTest(
  "the pages of the account are whole in both themes at every width",
  async (page, served) => {
    const { console: { store, clock }, origin } = served;
    await ownerPassword(store);
    await addAuthenticator(page);
    await page.goto(`${origin}/console/account`);
    await Promise.all([page.waitForNavigation(), page.click("main .passkey button")]);
    const agents = [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17) Version/17.0 Mobile Safari/604.1",
      undefined,
    ];
    for (const userAgent of agents) {
      await startSession(store, administrator, { nowMs, userAgent, ip: "2001:db8::7" });
    }
    await lookAt(page, origin, {
      account: "/console/account",
      account_enrol: "/console/account/totp",
      account_done: "/console/account?done=password",
    });
    await turnOn(page, served);
    await everywhere(page, async () => {
      await check(page, "account_codes");
    });
    clock.nowMs += 5 * 60_000;
    await lookAt(page, origin, {
      account_two_steps: "/console/account",
      account_confirm: "/console/confirm?next=/console/account/totp/codes",
      user_security: "/console/admin/users/owner",
    });
  },
);

signedInTest(
  "the pages before the sign-in are whole in both themes at every width",
  async (page, served) => {
    const { console: { store }, origin } = served;
    await ownerPassword(store);
    await turnOn(page, served);
    await updateSettings(store, (current) => ({
      ...current,
      signUp: "open",
      signUpDomains: ["example.com", "workshop.example.com"],
    }));
    await signOut(page, served);
    await page.type("#email", administrator.email);
    await page.type("#password", password);
    await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
    await lookAt(page, origin, {
      login_passkey: "/login",
      login_code: "/login/code",
      login_recovery: "/login/code?recovery",
      signup: "/signup",
    });
  },
);
