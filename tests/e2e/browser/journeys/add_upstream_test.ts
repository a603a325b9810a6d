import { assertEquals } from "@std/assert";
import { getModel, getUpstream } from "../../../../lib/store/catalog/mod.ts";
import { withGateway } from "../../../console/upstreams/upstream_scene.ts";
import { chatAnswer } from "../../../formats/whole_answer.ts";
import { startUpstream } from "../../fake_upstream.ts";
import { signedInTest } from "../usage_pages.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";

const answer = chatAnswer({ content: "OK" }, {
  usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 },
});

signedInTest("J7: an upstream is added, tested and priced", async (page, served) => {
  await using vendor = startUpstream(({ path }) =>
    Response.json(path.endsWith("/models") ? { data: [{ id: "house-chat" }] } : answer)
  );
  withGateway(served.console, true);
  await page.goto(`${served.origin}/console/admin/upstreams`);
  const person = new Counted(page);
  await person.follow('a[href="/console/admin/upstreams/new"]');
  await page.select("select[name=preset]", "");
  await person.type("input[name=id]", "house");
  await person.type("input[name=baseUrl]", `${vendor.base}/v1`);
  await person.type("textarea[name=credentials]", "sk-house");
  await person.follow('button[value="test"]');
  await person.follow('main a[href*="set=price"]');
  await person.type("input[name=input]", "0.5");
  await person.type("input[name=output]", "1.5");
  await person.follow("button[value=set]");
  assertTarget("J7 an upstream with its price", person);
  assertEquals(new URL(page.url()).searchParams.get("done"), "saved");
  const { store } = served.console;
  const upstream = await getUpstream(store, "house");
  assertEquals([upstream?.enabled, upstream?.models.map(({ id }) => id)], [true, ["house-chat"]]);
  const price = (await getModel(store, "house-chat"))?.price;
  const { input, output } = [price].flat().at(-1) ?? {};
  assertEquals([input, output], [0.5, 1.5]);
});
