import { assertEquals, assertNotEquals } from "@std/assert";
import { setPassword } from "../../../lib/accounts/mod.ts";
import { behindProxies } from "../../../lib/http/behind_proxies.ts";
import { listSessions } from "../../../lib/store/users/mod.ts";
import { consoleHandler, testConsole, testPasswords } from "../console.ts";
import { member } from "../people.ts";

const password = "correct horse battery";
const handler = behindProxies(["10.0.0.0/8"], { api: () => undefined, other: consoleHandler });

/** Signs in over a connection from `hostname`, as a proxy that ends TLS passes it on. */
async function signIn(hostname: string): Promise<Response> {
  const request = new Request("http://inside.test/login", {
    method: "POST",
    headers: {
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": "192.0.2.9",
      "x-forwarded-proto": "https",
    },
    body: new URLSearchParams({ email: member.email, password }),
  });
  const remoteAddr = { transport: "tcp", hostname, port: 1 } as const;
  return await handler(request, { remoteAddr, completed: Promise.resolve() });
}

for (
  const [peer, ip, cookie] of [
    ["10.0.0.1", "192.0.2.9", "__Host-tessera="],
    ["198.51.100.1", "198.51.100.1", "tessera="],
  ]
) {
  testConsole(
    `sign-in over ${peer}: the session is of ${ip}, its cookie ${cookie}`,
    async ({ store }) => {
      await setPassword({ store, passwords: testPasswords }, member.id, { password });
      const response = await signIn(peer);
      assertEquals(response.status, 303);
      const names = response.headers.getSetCookie().map((line) => line.slice(0, cookie.length));
      assertNotEquals(names.indexOf(cookie), -1, names.join());
      const sessions = await listSessions(store, member.id);
      assertEquals(sessions.map((session) => session.ip), [ip]);
    },
  );
}
