import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { startSession } from "../../../lib/accounts/mod.ts";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { loadConfig } from "../../../lib/config.ts";
import { provideConsole } from "../../../lib/console/mod.ts";
import { consoleServices } from "../../../lib/console/services.ts";
import { createBatch } from "../../../lib/funds/mod.ts";
import { Health } from "../../../lib/routing/mod.ts";
import {
  createAuditEntry,
  createGroup,
  createUpstream,
  createUser,
  type UpstreamRecord,
} from "../../../lib/store/mod.ts";
import { createSend } from "../../../lib/upstreams/mod.ts";
import { administrator, member, nowMs } from "../../console/console.ts";
import { complaintsOf, findChromium, launch } from "./chromium.ts";
import { check, show, themes, widths } from "./look.ts";
import { serveConsole, type ServedConsole } from "./served_console.ts";

const chromium = findChromium();

interface Scene {
  readonly served: ServedConsole;
  /** An administrator is signed in. */
  readonly page: Page;
}

function adminTest(name: string, test: (scene: Scene) => Promise<void>): void {
  Deno.test({
    name: `browser: ${name}`,
    ignore: !chromium,
    sanitizeOps: false, // the browser's own connection and the passwords' worker outlive a test
    sanitizeResources: false,
    fn: async () => {
      const served = await serveConsole();
      const { store } = served.console;
      const browser = await launch(chromium ?? "");
      try {
        for (const one of [administrator, member]) await createUser(store, one);
        const { token } = await startSession(store, administrator, { nowMs });
        const cookie = { value: token, domain: "localhost", path: "/", httpOnly: true };
        await browser.setCookie(
          { ...cookie, name: "__Host-tessera", secure: true },
          { ...cookie, name: "tessera" },
        );
        const page = await browser.newPage();
        const complaints = complaintsOf(page);
        await test({ served, page });
        assertEquals(complaints, []);
      } finally {
        await browser.close();
        await served.close();
      }
    },
  });
}

/** Looks at pages in both themes at every width. */
async function look(
  { page, served: { origin } }: Scene,
  paths: Readonly<Record<string, string>>,
): Promise<void> {
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(origin + path, { waitUntil: "load" });
        await check(page, `admin_${name}_${theme}_${width}`);
      }
    }
  }
}

adminTest("the audit log is whole in both themes at every width", async (scene) => {
  const { store } = scene.served.console;
  for (let n = 0; n < 60; n++) {
    await createAuditEntry(store, {
      atMs: nowMs - 90_000 * n,
      actorId: administrator.id,
      actorName: administrator.email,
      kind: n % 3 ? "user" : "key",
      action: n % 3 ? "changed" : "created",
      targetId: `usr_${n}`,
      targetName: n === 1 ? `${"w".repeat(60)}@example.com` : `person-${n}@example.com`,
      changes: n % 3 ? [{ field: "role", before: "member", after: "administrator" }] : [],
      ...(n % 3 === 1 &&
        { reason: "Joins the team that looks after the gateway from December on" }),
      ip: "203.0.113.7",
    });
  }
  await look(scene, {
    audit: "/console/admin/audit",
    audit_none: "/console/admin/audit?action=deleted&q=nobody",
  });
});

adminTest("users are whole in both themes at every width", async (scene) => {
  const { served: { origin, console: { store } }, page } = scene;
  const long = `${"w".repeat(60)}@example.com`;
  await createUser(store, { ...member, id: "usr_long", email: long, enabled: false });
  await look(scene, {
    users: "/console/admin/users",
    users_none: "/console/admin/users?q=nobody",
    user: `/console/admin/users/${member.id}?done=saved`,
    user_first: "/console/admin/users/owner",
    user_long: "/console/admin/users/usr_long",
    user_disable: `/console/admin/users/${member.id}/enabled`,
    invite: "/console/admin/users/invite",
  });
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      await page.goto(`${origin}/console/admin/users/invite`);
      await page.type("#email", `lea-${theme}-${width}@example.com`);
      await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
      await page.click(".secret summary");
      const link = await page.$eval(".secret .value", (one) => one.textContent ?? "");
      await check(page, `admin_invited_${theme}_${width}`);
      const guest = await page.browser().createBrowserContext();
      const invited = await guest.newPage();
      await show(invited, theme, width);
      await invited.goto(link);
      await check(invited, `invitation_${theme}_${width}`);
      await guest.close();
    }
  }
});

adminTest("redemption codes are whole in both themes at every width", async (scene) => {
  const { served: { origin, console: { store } }, page } = scene;
  await look(scene, { codes_empty: "/console/admin/codes" });
  const draft = { amountNanoUsd: 20_000_000_000n, count: 60, usesMax: 3 };
  const made: Awaited<ReturnType<typeof createBatch>>[] = [];
  for (const name of ["Spring workshop", "w".repeat(100)]) {
    const expiresAtMs = nowMs + 90 * 86_400_000;
    const options = { nowMs: nowMs - made.length * 3_600_000, codesMax: 60 };
    made.push(await createBatch(store, administrator, { ...draft, name, expiresAtMs }, options));
  }
  const ids = made.map((one) => one.type === "created" ? one.batch.id : "");
  await look(scene, {
    codes: "/console/admin/codes",
    codes_new: "/console/admin/codes/new",
    batch: `/console/admin/codes/${ids[0]}?done=code-enabled`,
    batch_long: `/console/admin/codes/${ids[1]}`,
    batch_disable: `/console/admin/codes/${ids[1]}/enabled`,
  });
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      await page.goto(`${origin}/console/admin/codes/new`);
      await page.type("#name", "Autumn");
      await page.type("#amount", "12.50");
      await page.type("#count", "2");
      await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
      await check(page, `admin_codes_made_${theme}_${width}`);
    }
  }
  await page.click(".button.primary[download]");
});

adminTest("upstreams are whole in both themes at every width", async (scene) => {
  const { served: { origin, console: { store, directory, clock } }, page } = scene;
  const services = consoleServices();
  assert(services);
  const addresses = { allowsPrivate: false, allowsLoopback: true };
  const health = new Health(loadConfig({}).limits, () => clock.nowMs);
  const send = createSend({ dialFirst: false, addresses });
  provideConsole({ ...services, upstreams: { health, send, addresses } });
  await look(scene, { upstreams_empty: "/console/admin/upstreams?model=gpt-5" });
  const sample: UpstreamRecord = {
    id: "openai",
    preset: "openai",
    endpoints: { "chat-completions": "http://127.0.0.1:9/v1", responses: "http://127.0.0.1:9/v1" },
    credentials: ["one", "two"],
    models: ["gpt-*", "o3*", "o4*", "fast"].map((id) => ({ id })),
    priority: 5,
    weight: 2,
    groups: ["*"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
  };
  const long = { id: "w".repeat(64), models: [{ id: "m".repeat(200) }], enabled: false };
  const others: Partial<UpstreamRecord>[] = [{ id: "declared", origin: "config" }, long];
  for (const parts of [{}, ...others]) await createUpstream(store, { ...sample, ...parts });
  await directory.refresh();
  const called = { upstream: sample, upstreamModel: "gpt-5", format: "responses" } as const;
  const failure = new GatewayError("upstream_unreachable", "Nobody is there");
  for (const id of ["aaaaaaaa", "bbbbbbbb"]) {
    for (let n = 0; n < 5; n++) {
      const pass = health.begin({ ...called, credential: { id, secret: "one" } });
      pass?.answered(420);
      pass?.ended(n % 2 ? undefined : failure);
    }
  }
  await look(scene, {
    upstreams: "/console/admin/upstreams?model=gpt-5&group=default&format=messages",
    upstream: "/console/admin/upstreams/openai?done=created",
    upstream_declared: "/console/admin/upstreams/declared",
    upstream_long: `/console/admin/upstreams/${long.id}`,
    upstream_new: "/console/admin/upstreams/new",
    upstream_delete: `/console/admin/upstreams/${long.id}/delete`,
  });
  for (const theme of themes) {
    for (const width of widths) {
      await show(page, theme, width);
      await page.goto(`${origin}/console/admin/upstreams/openai`);
      await Promise.all([page.waitForNavigation(), page.click('form[action$="/test"] button')]);
      await check(page, `admin_upstream_tested_${theme}_${width}`);
    }
  }
});

adminTest("groups are whole in both themes at every width", async (scene) => {
  const { store, directory } = scene.served.console;
  await look(scene, { groups_empty: "/console/admin/groups" });
  const group = { models: ["*"], formats: ["messages"], priceRatio: 1.5 } as const;
  await createGroup(store, { ...group, id: "declared", origin: "config" });
  await createGroup(store, { ...group, id: "w".repeat(64), origin: "console" });
  await createUpstream(store, {
    id: "vendor",
    endpoints: { messages: "https://203.0.114.9" },
    credentials: [],
    models: ["gpt-5", "house-model", "m".repeat(100)].map((id) => ({ id })),
    priority: 0,
    weight: 1,
    groups: ["default", "declared"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
  });
  await directory.refresh();
  await look(scene, {
    groups: "/console/admin/groups?done=saved",
    group: "/console/admin/groups/default",
    group_declared: "/console/admin/groups/declared",
    group_new: "/console/admin/groups/new",
    prices: "/console/admin/prices?done=saved",
  });
});
