import { assert } from "@std/assert";
import { testConsole } from "../console.ts";
import { administrator, member } from "../people.ts";

const values = [
  "",
  "constructor",
  "__proto__",
  "-1",
  "NaN",
  "../../etc",
  "\u0000",
  "\ud800",
  "<script>alert(1)</script>",
  "x".repeat(100_000),
];

const asked = ["period", "by", "measure", "who", "done", "begins", "builtIn", "provider"];
const pages = ["", "/token", "/log", "/pricing", "/admin/upstreams", "/admin/users", "/welcome"];
const forms = [
  { path: "/welcome", fields: ["intent", "preset", "key", "baseUrl"] },
  { path: "/admin/upstreams/none/fallback", fields: ["model", "back", "undo"] },
  { path: "/pricing/model?name=gpt-5", fields: ["intent", "begins", "set", "input", "output"] },
  { path: "/admin/users/none", fields: ["enabled", "intent"] },
];

/** Without a gateway beside it, the console cannot call an upstream. */
const servesAlone = 503;

for (const person of [administrator, member]) {
  testConsole(
    `hostile questions and forms of ${person.role} never make a page fail`,
    async (console) => {
      const browser = await console.signedIn(person);
      for (const value of values) {
        for (const page of pages) {
          for (const name of asked) {
            const query = new URLSearchParams({ [name]: value.slice(0, 2_000) });
            const { status } = await browser.get(`/console${page}?${query}`);
            assert(status < 500, `${status} of ${page}?${name}=${value.slice(0, 20)}`);
          }
        }
        for (const { path, fields } of forms) {
          const form = Object.fromEntries(fields.map((field) => [field, value]));
          const { status } = await browser.post(`/console${path}`, form);
          assert(
            status < 500 || status === servesAlone,
            `${status} of ${path} with ${value.slice(0, 20)}`,
          );
        }
      }
    },
  );
}
