import { assertEquals } from "@std/assert";
import { member } from "../console/people.ts";
import { startApi } from "./api.ts";

Deno.test("management: limits in force name their owners, uses and resets", async () => {
  await using api = await startApi();
  const project = { id: "research", models: ["gpt-*"], budgets: { month: "20.00" } };
  await api.ask("POST", "/projects", { body: project });
  await api.ask("POST", "/projects/research/members", { body: { user_id: member.id } });
  await api.ask("PATCH", "/organization", { body: { limits: { requests_per_minute: 60 } } });
  const body = { name: "one", user_id: member.id, requests_per_window: { "5h": 1000 } };
  const key = await api.ask("POST", "/keys", { body });
  const { status, body: { limits, models } } = await api.ask("GET", `/keys/${key.body.id}/bounds`);
  assertEquals(status, 200);
  const short = limits.map((
    { owner, owner_id, name, limit, used, left }: Record<string, string | null>,
  ) => [owner, owner_id, name, limit, used, left]);
  assertEquals(short, [
    ["key", key.body.id, "key requests in 5 hours", "1000", "0", "1000"],
    ["project", "research", "project monthly budget", "20.00", "0.00", "20.00"],
    ["organization", "all", "organization requests per minute", "60", "0", "60"],
    ["wallet", member.id, "account balance", null, null, "0.00"],
  ]);
  assertEquals(models, [{ owner: "project", owner_id: "research", models: ["gpt-*"] }]);
  const names = async (path: string) =>
    (await api.ask("GET", `${path}/bounds`)).body.limits.map(({ owner }: { owner: string }) =>
      owner
    );
  assertEquals(await names(`/users/${member.id}`), ["project", "organization", "wallet"]);
  assertEquals(await names("/projects/research"), ["project", "organization"]);
  assertEquals(await names("/groups/default"), ["organization"]);
  assertEquals(await names("/organization"), ["organization"]);
  assertEquals((await api.ask("GET", "/keys/key_none/bounds")).status, 404);
});

Deno.test("management: an invitation carries project, group, credit and limits, and warns of $0", async () => {
  await using api = await startApi();
  await api.ask("POST", "/projects", { body: { id: "research" } });
  await api.ask("POST", "/groups", { body: { id: "team" } });
  const wanted = {
    email: "lea@example.com",
    project_id: "research",
    group: "team",
    starting_credit: "5.00",
    budgets: { day: "2.00" },
  };
  const made = await api.ask("POST", "/invitations", { body: wanted });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const { project_id, group, starting_credit, budgets, warning } = made.body;
  assertEquals(
    [project_id, group, starting_credit, budgets.day, warning],
    ["research", "team", "5.00", "2.00", null],
  );
  const bare = await api.ask("POST", "/invitations", { body: { email: "mia@example.com" } });
  assertEquals(bare.body.warning?.startsWith("The account starts with $0"), true);
  const token = await api.newToken({ scopes: ["users:write"] });
  for (
    const [fields, status, param] of [
      [{ starting_credit: "5.00" }, 403, undefined],
      [{ project_id: "none" }, 400, "project_id"],
      [{ group: "none" }, 400, "group"],
    ] as const
  ) {
    const body = { email: "ida@example.com", ...fields };
    const refused = await api.ask("POST", "/invitations", { body, token });
    assertEquals([refused.status, refused.body.error.param ?? undefined], [status, param]);
  }
});
