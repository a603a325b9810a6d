import { assert, assertEquals, assertMatch } from "@std/assert";

/** The first administrator. The first start creates the account. */
export const administrator = {
  TESSERA_ADMIN_EMAIL: "mira@example.com",
  TESSERA_ADMIN_PASSWORD: "correct horse battery",
};

/** Signs in to the console, and returns the header of its cookies. */
export async function signIn(base: string): Promise<string> {
  const [email, password] = Object.values(administrator);
  const response = await fetch(`${base}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ email, password }),
  });
  assertEquals(response.status, 303, await response.text());
  return response.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
}

/** Calls the built-in model, and returns the ID of the request. */
export async function call(base: string, key: string): Promise<string> {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content: "hello" }] }),
  });
  const answer = await response.text();
  assertEquals(response.status, 200, answer);
  assertMatch(answer, /hello/);
  return response.headers.get("x-request-id") ?? "";
}

/** The console's log shows these calls to the signed-in administrator. */
export async function assertInLog(
  base: string,
  cookie: string,
  ids: readonly string[],
): Promise<void> {
  const page = await fetch(`${base}/console/log`, { redirect: "manual", headers: { cookie } });
  const html = await page.text();
  assertEquals(page.status, 200, "the session has ended");
  for (const id of ids) assert(html.includes(id), `${id} is not in the log`);
}
