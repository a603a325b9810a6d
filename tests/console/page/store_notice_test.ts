import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";

const texts = {
  en: "Store unavailable. The store's disk is full. Free some space",
  zh: "存储不可用. 存储所在磁盘已满。请释放空间",
};

testConsole(
  "store: administrators read on every page why nothing is recorded, members do not",
  async (console) => {
    const { health } = console.store;
    const looking = await console.signedIn(administrator);
    const other = await console.signedIn(member);
    const read = async (language: string) =>
      textOf((await looking.get("/console/log", { "accept-language": language })).html);
    assert(!(await read("en")).includes(texts.en));
    health.report("full");
    for (const [language, text] of Object.entries(texts)) {
      assertStringIncludes(await read(language), text);
    }
    assert(!textOf((await other.get("/console/log")).html).includes(texts.en));
    health.recovered();
    assert(!(await read("en")).includes(texts.en));
  },
);

testConsole(
  "store: a change that cannot be saved is answered with 503 and says so",
  async (console) => {
    const browser = await console.signedIn(administrator);
    console.store.health.report("lost");
    const { status, html } = await browser.post("/console/token/new", {
      name: "unsaved",
      group: "default",
      expiry: "never",
    });
    assertEquals(status, 503);
    assertStringIncludes(textOf(html), "Store unavailable");
  },
);
