import { assertEquals, assertStringIncludes } from "@std/assert";
import { settingsOf } from "../../accounts/sso/fake_provider.ts";
import { signInAtServer, startOidcServer } from "../../accounts/sso/oidc_server.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";

const publicUrl = "https://gateway.example.com";

/** The cookies that an answer sets, for the next request. */
function cookiesOf(response: Response): string {
  return response.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
}

Deno.test({
  name: "sso: a process with two isolates and the permissions of the task signs a user in",
  sanitizeOps: false, // oidc-provider keeps timers
  sanitizeResources: false,
  fn: () =>
    withStoreFolder(async (folder) => {
      await using oidc = await startOidcServer(`${publicUrl}/login/sso/acme/callback`);
      const config = { publicUrl, signIn: { providers: [settingsOf(oidc)] } };
      const server = await startServer(folder, { config, isolates: 2 });
      const get = (path: string, cookie = "") =>
        fetch(server.base + path, { headers: { cookie }, redirect: "manual" });

      for (const name of ["ada", "bea", "cleo", "dora"]) { // connections go to either isolate
        const begun = await get("/login/sso/acme");
        const back = await signInAtServer(begun.headers.get("location") ?? "", name);
        assertEquals(back.origin, publicUrl);
        const arrived = await get(back.pathname + back.search, cookiesOf(begun));
        assertEquals([arrived.status, arrived.headers.get("location")], [303, "/console"]);
        const account = await get("/console/account", cookiesOf(arrived));
        assertStringIncludes(await account.text(), `Acme · ${name}@example.com`);
      }
      assertEquals(await server.stop(), 0);
      assertEquals(server.said().includes("NotCapable"), false, server.said());
    }),
});
