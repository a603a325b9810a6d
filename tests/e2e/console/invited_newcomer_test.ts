import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { balanceOf } from "../../../lib/store/money/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { getUserByEmail } from "../../../lib/store/users/mod.ts";
import { administrator } from "../../console/people.ts";
import { sampleProject } from "../../store/samples.ts";
import { type ConsoleGateway, signedInGateway } from "./console_gateway.ts";

const config = {
  groups: [{ id: "default" }, { id: "team" }],
  models: [{ id: "tessera-echo", price: { input: 1, output: 1 } }],
};
const wanted = {
  email: "lea@example.com",
  spending: "prepaid",
  project: "research",
  group: "team",
  credit: "5",
  budgetDay: "2",
};

Deno.test({
  name: "an invited newcomer signs up, makes a key and calls at once",
  sanitizeOps: false, // the worker that hashes passwords outlives the test
  sanitizeResources: false,
  fn: async () => {
    await using console = await signedInGateway(administrator, config);
    const { store, directory } = console.gateway.parts;
    await createProject(
      store,
      sampleProject({ budgets: [{ period: "month", nanoUsd: 20n * 10n ** 9n }] }),
    );
    await directory.refresh();
    const link = await invite(console);
    const newcomer = new Browser(console.gateway.origin);
    const joined = await newcomer.post(link, { password: "five unrelated words" });
    assertEquals([joined.status, joined.headers.get("location")], [303, "/console"]);
    const user = await getUserByEmail(store, "lea@example.com");
    assertEquals([user?.projectId, user?.groupId], ["research", "team"]);
    assertEquals(await balanceOf(store, user?.id ?? ""), 5_000_000_000n);
    const overview = await newcomer.text("/console");
    for (const words of ["Limits in force", "Project research", "$20", "$2", "$5"]) {
      assertStringIncludes(overview, words);
    }
    await newcomer.post("/console/welcome", { intent: "key" });
    const [secret] = /sk-[\w-]{20,}/.exec(await newcomer.text("/console/welcome")) ?? [];
    assert(secret);
    const called = await call(console.gateway.origin, secret);
    assertEquals(called.status, 200, await called.text());
    const { rows: [row] } = await listRequestLogs(store, { limit: 1 });
    assertEquals([row.groupId, row.projectId], ["team", "research"]);
  },
});

Deno.test("an invitation without credit is made only after a warning", async () => {
  await using console = await signedInGateway(administrator, config);
  const form = { email: "mia@example.com", spending: "prepaid" };
  const warned = await console.post("/console/admin/users/invite", form);
  assertEquals(warned.status, 422);
  const html = await warned.text();
  for (const words of ["starts with $0", "Invite without credit", "mia@example.com"]) {
    assertStringIncludes(html, words);
  }
  const made = await console.post("/console/admin/users/invite", { ...form, empty: "yes" });
  assertEquals(made.status, 303);
  await made.body?.cancel();
});

async function invite(console: ConsoleGateway): Promise<string> {
  const made = await console.post("/console/admin/users/invite", wanted);
  assertEquals(made.status, 303, await made.text());
  const html = await (await console.get(made.headers.get("location") ?? "")).text();
  return /\/invitation\/[\w-]{43}/.exec(html)?.[0] ?? "";
}

function call(origin: string, secret: string): Promise<Response> {
  return fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content: "hi" }] }),
  });
}

/** A browser with cookies of its own. */
class Browser {
  readonly #cookies = new Map<string, string>();

  constructor(readonly origin: string) {}

  async text(path: string): Promise<string> {
    return await (await this.#ask(path, {})).text();
  }

  async post(path: string, form: Record<string, string>): Promise<Response> {
    const answer = await this.#ask(path, { method: "POST", body: new URLSearchParams(form) });
    await answer.body?.cancel();
    return answer;
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    const answer = await fetch(this.origin + path, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(";", 1)[0].split(/=(.*)/);
      this.#cookies.set(name, value);
    }
    return answer;
  }
}
