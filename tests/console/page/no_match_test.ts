import { assert, assertStringIncludes } from "@std/assert";
import { testConsole, textOf } from "../console.ts";
import { administrator } from "../people.ts";
import { addTeam } from "../team/mod.ts";

const cases = [
  {
    list: "/console/token?who=everyone",
    filters: "group=coding&q=no+such+key",
    sentence: "“no such key” hides",
    rest: "group=coding",
  },
  {
    list: "/console/token?who=everyone",
    filters: "group=nowhere",
    sentence: "Group: nowhere hides",
    rest: "",
  },
  {
    list: "/console/admin/users?",
    filters: "role=member&q=nobody",
    sentence: "“nobody” hides",
    rest: "role=member",
  },
  {
    list: "/console/pricing?",
    filters: "can=tools&q=no+such+model",
    sentence: "“no such model” hides",
    rest: "can=tools",
  },
] as const;

testConsole(
  "lists: where nothing matches, the filter that hides most is named",
  async (console) => {
    await addTeam(console.store);
    const browser = await console.signedIn(administrator);
    for (const { list, filters, sentence, rest } of cases) {
      const { html } = await browser.get(`${list}&${filters}`);
      const empty = html.slice(html.indexOf('class="empty"'));
      assertStringIncludes(textOf(html), sentence, list + filters);
      const links = [...empty.matchAll(/class="button" href="([^"]+)"/g)].map(([, href]) => href);
      assert(links[0].includes(rest), `${links[0]} of ${list}`);
      const shown = await browser.get(links[0].replaceAll("&amp;", "&"));
      assert(!shown.html.includes('class="empty"'), `${links[0]} shows rows`);
    }
  },
);
