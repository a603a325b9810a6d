import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  adminScopes,
  type Permission,
  permits,
  roles,
  startSession,
} from "../../../lib/accounts/mod.ts";
import { eventStream } from "../../../lib/console/page/event_stream.ts";
import { opens, routeNeeds } from "../../../lib/console/session/access.ts";
import type { AccountState } from "../../../lib/console/session/state.ts";
import { updateOrganization } from "../../../lib/store/projects/mod.ts";
import { type Role, updateUser } from "../../../lib/store/users/mod.ts";
import { servicesUnderTest, type TestBrowser, testConsole, textOf } from "../console.ts";
import { administrator, nowMs } from "../people.ts";
import { addKey } from "../records.ts";
import { addressOf, consoleRoutes } from "../routes.ts";
import { addRoleScene, billing, people, viewer, webhookSecret } from "./role_scene.ts";
import { roleTable } from "./role_table.ts";

const routes = consoleRoutes.map(({ pattern }) => pattern)
  .filter((pattern) => pattern.startsWith("/console"));
const methods = ["GET", "POST"] as const;

/** True if the table of this test gives a role a request. */
function isGiven(pattern: string, method: typeof methods[number], role: string): boolean {
  return roleTable[pattern]?.split(" ")[methods.indexOf(method)].includes(role[0]) ?? false;
}

Deno.test("roles: every route of the console has an entry, here and in the code", () => {
  assertEquals(Object.keys(roleTable).toSorted(), routes.toSorted());
  const named = Object.keys(routeNeeds).map((route) => route.replaceAll(/:(\w+)/g, "[$1]"));
  assertEquals(named.toSorted(), routes.toSorted());
});

for (const role of roles) {
  testConsole(
    `roles: ${role} gets and posts what the table says, before any proof`,
    async (console) => {
      const samples = await addRoleScene(console);
      const browser = await console.signedIn(people[role]);
      console.clock.nowMs += 2 * 3_600_000; // the proof of the sign-in is over
      const wrong: string[] = [];
      for (const pattern of routes) {
        const path = addressOf(pattern, samples);
        for (const method of methods) {
          const { status, html } = method === "GET"
            ? await browser.get(path)
            : await browser.post(path, {});
          browser.cookies.delete("tessera_view"); // of the administrator, who views as another
          const isRefused = status === 403 && html.includes("Your role does not allow this");
          const given = isGiven(pattern, method, role);
          if (isRefused === given) wrong.push(`${method} ${pattern}: ${status}`);
          assertEquals(opens(role, `${path}?a=b#c`, method), given, `${method} ${path}`);
        }
      }
      assertEquals(wrong, []);
    },
  );
}

for (const role of ["billing", "viewer", "member"] as const) {
  testConsole(`roles: no page shows ${role} a link or a form that is refused`, async (console) => {
    const samples = await addRoleScene(console);
    const browser = await console.signedIn(people[role]);
    const wrong = new Set<string>();
    for (const pattern of routes.filter((one) => isGiven(one, "GET", role))) {
      const path = addressOf(pattern, samples);
      const { status, html } = await browser.get(path);
      if (status !== 200) continue;
      for (const offer of offersIn(html, path)) {
        if (!opens(role, ...offer)) wrong.add(`${path}: ${offer.join(" ")}`);
      }
      for (const id of emptyPopoversOf(html)) wrong.add(`${path}: opens nothing at ${id}`);
    }
    assertEquals([...wrong], []);
  });
}

testConsole("roles: readers of projects see the amounts of the organization", async (console) => {
  await addRoleScene(console);
  const budgets = [{ period: "month", nanoUsd: 20n * 10n ** 9n }] as const;
  await updateOrganization(console.store, () => ({ budgets }));
  await console.directory.refresh();
  for (const role of ["administrator", "viewer", "member"] as const) {
    const browser = await console.signedIn(people[role]);
    const text = textOf((await browser.get("/console/token/key_1")).html);
    assertStringIncludes(text, role === "member" ? "Shared with others" : "of $20");
  }
});

/** The popovers that a button opens and that hold nothing to do or to read. */
function emptyPopoversOf(html: string): string[] {
  const targets = new Set([...html.matchAll(/popovertarget="([^"]+)"/g)].map(([, id]) => id));
  return [...targets].filter((id) => {
    const [, tag, content] = new RegExp(`<(\\w+)[^>]*\\bid="${id}"[^>]*>([^]*)`).exec(html) ?? [];
    return content?.startsWith(`</${tag}>`);
  });
}

/** The links and forms of a page; a form without an address posts to the page. */
function offersIn(html: string, path: string): [href: string, method: "GET" | "POST"][] {
  const decoded = (text: string) => text.replaceAll("&amp;", "&");
  const links = [...html.matchAll(/<a\b[^>]*?\bhref="(\/console[^"]*)"/g)]
    .map(([, href]): [string, "GET"] => [decoded(href), "GET"]);
  const forms = [...html.matchAll(/<form\b[^>]*>/g)].filter(([tag]) =>
    tag.includes('method="post"')
  )
    .map(([tag]): [string, "POST"] => [decoded(/action="([^"]*)"/.exec(tag)?.[1] ?? path), "POST"]);
  const buttons = [...html.matchAll(/\bformaction="([^"]*)"/g)]
    .map(([, href]): [string, "POST"] => [decoded(href), "POST"]);
  return [...links, ...forms, ...buttons];
}

testConsole("roles: a refused page says who can, and JSON says 403", async (console) => {
  await addRoleScene(console);
  const browser = await console.signedIn(billing);
  const text = textOf((await browser.get("/console/admin/settings")).html);
  assertStringIncludes(text, "Allowed for: administrators and viewers.");
  const json = await browser.get("/console/admin/settings", { accept: "application/json" });
  assertEquals([json.status, json.html], [403, '{"status":403}']);
  const unknown = await browser.get("/console/admin/nothing");
  assertEquals(unknown.status, 404);
});

testConsole("roles: the menu has what the role opens", async (console) => {
  await addRoleScene(console);
  const menuOf = async (role: keyof typeof people) => {
    const { html } = await (await console.signedIn(people[role])).get("/console/topup");
    const sidebar = html.slice(html.indexOf('class="sidebar"'), html.indexOf("</nav>"));
    return [...sidebar.matchAll(/href="\/console([^"?]*)/g)].map(([, path]) => path).slice(1);
  };
  assertEquals(await menuOf("billing"), [
    ...["", "/log", "/pricing", "/admin/groups", "/admin/users", "/admin/projects"],
    ...["/topup", "/admin/codes", "/admin/tokens"],
  ]);
  assertEquals(await menuOf("viewer"), [
    ...["", "/token", "/log", "/pricing", "/admin/upstreams", "/admin/groups", "/admin/users"],
    ...["/admin/projects", "/topup", "/admin/codes", "/admin/audit", "/admin/settings"],
  ]);
});

testConsole(
  "roles: a viewer sees no secret, and search finds what the role sees",
  async (console) => {
    const samples = await addRoleScene(console);
    const hits = async (browser: TestBrowser, text: string) =>
      textOf((await browser.get(`/console/search?q=${text}`)).html);
    const [seeing, paying] = [await console.signedIn(viewer), await console.signedIn(billing)];
    for (const pattern of routes.filter((one) => isGiven(one, "GET", "viewer"))) {
      const { html } = await seeing.get(addressOf(pattern, samples));
      assert(!html.includes(webhookSecret), pattern);
    }
    assertStringIncludes(await hits(seeing, "theirs"), "member@example.com");
    assert(!(await hits(paying, "theirs")).includes("/console/token/"));
    assertStringIncludes(await hits(seeing, "vendor"), "vendor");
    assert(!(await hits(paying, "vendor")).includes("Upstreams"));
    assert(!(await hits(paying, "invite")).includes("Invite user"));
  },
);

testConsole(
  "roles: viewing as somebody shows what that role sees, and changes nothing",
  async (console) => {
    const samples = await addRoleScene(console);
    const browser = await console.signedIn(administrator);
    await browser.post(`/console/admin/users/${billing.id}/view`, {});
    for (const pattern of routes) {
      const path = addressOf(pattern, samples);
      const { status } = await browser.get(path);
      assertEquals(status === 403, !isGiven(pattern, "GET", "billing"), path);
      const posted = pattern === "/console/viewing" ? 403 : (await browser.post(path, {})).status;
      assertEquals(posted, 403, path);
    }
  },
);

testConsole(
  "roles: a change of role ends the sessions at once, in both directions",
  async (console) => {
    await addRoleScene(console);
    for (const role of ["viewer", "billing", "administrator", "member"] as const) {
      const current = await updateUser(console.store, billing.id, (one) => one);
      assert(current);
      const browser = await console.signedIn(current);
      assertEquals((await browser.get("/console")).status, 200);
      await updateUser(console.store, billing.id, (one) => ({ ...one, role }));
      assertEquals((await browser.get("/console")).status, 303, role);
    }
  },
);

testConsole("roles: a stream ends with the session that opened it", async (console) => {
  await addRoleScene(console);
  const { session } = await startSession(console.store, billing, { nowMs: console.clock.nowMs });
  const state = { services: servicesUnderTest(), account: { user: billing, session } };
  const source = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new Uint8Array(1)) });
  const request = new Request("http://localhost/console/log/live");
  const { body } = eventStream({ req: request, state: state as AccountState }, () => source);
  const reader = body?.getReader();
  assertEquals((await reader?.read())?.done, false);
  await updateUser(console.store, billing.id, (one) => ({ ...one, role: "member" }));
  await reader?.read(); // it was pulled before
  assertEquals((await reader?.read())?.done, true);
});

Deno.test("roles: the reference lists the permissions of every role and area", async () => {
  const file = new URL("../../../docs/reference/roles.md", import.meta.url);
  const rows = (await Deno.readTextFile(file)).split("\n").filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assertEquals(rows[0].slice(1), roles);
  const scopes = adminScopes.filter((scope) => !scope.startsWith("*"));
  const areas = new Set(scopes.map((scope) => scope.split(":")[0]));
  assertEquals(rows.slice(2).map(([area]) => area), ["own account", "own tokens", ...areas]);
  for (const [area, ...cells] of rows.slice(4)) {
    const levelOf = (role: Role) => {
      const held = scopes.filter((one) => one.startsWith(`${area}:`) && permits(role, one));
      return held.at(-1)?.split(":")[1] ?? "–";
    };
    assertEquals(cells, roles.map(levelOf), area);
  }
  const own = (permission: Permission) =>
    roles.map((role) => permits(role, permission) ? "write" : "–");
  assertEquals([rows[2].slice(1), rows[3].slice(1)], [own("own:write"), own("own:tokens")]);
});

testConsole(
  "roles: the alerts show nothing of others' keys to those who may not see these",
  async (console) => {
    await addRoleScene(console);
    const expiresAtMs = nowMs + 86_400_000;
    await addKey(console.store, {
      id: "key_soon",
      accountId: people.member.id,
      name: "ends-soon",
      expiresAtMs,
    });
    for (const role of roles) {
      const browser = await console.signedIn(people[role]);
      const { html } = await browser.get("/console/alerts?who=everyone");
      assertEquals(html.includes("ends-soon"), role !== "billing", role);
    }
  },
);
