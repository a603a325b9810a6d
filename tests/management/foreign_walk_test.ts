import { assert, assertEquals } from "@std/assert";
import { startSession } from "../../lib/accounts/mod.ts";
import { operations } from "../../lib/management/mod.ts";
import { createUser, updateUser } from "../../lib/store/users/mod.ts";
import { administrator, member, user } from "../console/people.ts";
import { startApi, type TestApi } from "./api.ts";

/** The id of an object of another account for each resource, by the first part of the path. */
async function foreignIds(api: TestApi): Promise<Readonly<Record<string, string>>> {
  const made = async (path: string, body: Record<string, unknown>) =>
    (await api.ask("POST", path, { body })).body.id;
  return {
    keys: await made("/keys", { name: "theirs", user_id: member.id }),
    users: member.id,
    invitations: await made("/invitations", { email: "lea@example.com" }),
    groups: await made("/groups", { id: "theirs" }),
    tokens: await made("/tokens", { name: "theirs", scopes: ["*"] }),
    wallets: member.id,
  };
}

/** The path of an operation with the id of an existing object. */
function pathWith(path: string, ids: Readonly<Record<string, string>>): string {
  const id = ids[path.split("/")[1]] ?? "some-id";
  return path.replaceAll(/\{\w+\}/g, id);
}

Deno.test("management: no operation shows or changes another account's objects without the right", async () => {
  await using api = await startApi();
  const ids = await foreignIds(api);
  const { body: { secret: memberKey } } = await api.ask("POST", "/keys", {
    body: { name: "own", user_id: member.id },
  });
  const former = user({ id: "usr_former", email: "former@example.com" });
  await createUser(api.store, former);
  const demoted = await api.newToken({ userId: former.id });
  await updateUser(api.store, former.id, (one) => ({ ...one, role: "member" }));
  const powerless = await api.newToken({ scopes: [] });
  const { token: session } = await startSession(api.store, administrator, { nowMs: Date.now() });
  const before = await recordsOf(api);
  let refused = 0;
  for (const { method, path, scope, body } of operations) {
    const address = pathWith(path, ids);
    const ask = (headers: Record<string, string>) =>
      api.ask(method, address, { ...(body && { body: {} }), headers });
    const bearer = (token: string) => ask({ authorization: `Bearer ${token}` });
    const answers = [
      [await bearer(memberKey), 401],
      [await bearer(demoted), 401],
      [await ask({ authorization: "", cookie: `__Host-tessera=${session}` }), 401],
      ...scope ? [[await bearer(powerless), 403] as const] : [],
    ] as const;
    for (const [answer, status] of answers) {
      assertEquals(answer.status, status, `${method} ${address}`);
      assertEquals(Object.keys(answer.body), ["error"]);
      refused++;
    }
  }
  assert(refused > 100);
  assertEquals(await recordsOf(api), before);
});

Deno.test("management: an unknown id is not found at every address that has one", async () => {
  await using api = await startApi();
  for (const { method, path, body } of operations.filter(({ path }) => path.includes("{"))) {
    const answer = await api.ask(method, pathWith(path, {}), { ...(body && { body: {} }) });
    const needsBody = body !== undefined && !body.safeParse({}).success;
    const expected = needsBody && answer.status === 400 ? "invalid_request" : "object_not_found";
    assertEquals(answer.body?.error?.code, expected, `${method} ${path}`);
  }
});

/** Every record that the walk could change, without the times of last use. */
async function recordsOf(api: TestApi): Promise<string> {
  const lists = ["/keys", "/users", "/invitations", "/groups", "/tokens"];
  const bodies = await Promise.all(lists.map(async (path) => (await api.ask("GET", path)).body));
  return JSON.stringify(bodies, (name, value) => name === "last_used_at" ? undefined : value);
}
