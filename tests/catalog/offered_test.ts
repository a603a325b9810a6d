import { assertEquals } from "@std/assert";
import { namesForGroup, offeredNames } from "../../lib/catalog/mod.ts";
import type { UpstreamList, UpstreamModel } from "../../lib/store/catalog/mod.ts";
import { sampleUpstream } from "../store/samples.ts";

const recorded = ["gpt-house", "other"];

function offered(models: readonly UpstreamModel[], listed?: readonly string[]) {
  const list = listed && { upstreamId: "acme", source: "", isComplete: true };
  const lists = new Map<string, UpstreamList>(
    list && [["acme", { ...list, models: listed.map((id) => ({ id })) }]],
  );
  const sources = {
    models: () => recorded.map((id) => ({ id })),
    upstreamLists: () => lists,
    upstreams: () => [sampleUpstream({ models, groups: ["default"] })],
  };
  const names = offeredNames({ id: "acme", models }, sources);
  assertEquals(namesForGroup("default", sources), names);
  assertEquals(namesForGroup("elsewhere", sources), []);
  return names;
}

const anything = [{ id: "*" }];
const ofOpenai = [{ id: "gpt-*" }];
const listed = ["gpt-5", "gpt-5-mini", "whisper-1"];

const cases: readonly (readonly [
  name: string,
  models: readonly UpstreamModel[],
  listed: readonly string[] | undefined,
  offered: readonly string[],
])[] = [
  ["a name stands for itself, listed or not", [{ id: "named" }], listed, ["named"]],
  ["a pattern stands for what the upstream lists", ofOpenai, listed, ["gpt-5", "gpt-5-mini"]],
  ["anything stands for all that it lists", anything, listed, listed],
  ["an upstream that lists nothing offers nothing", anything, [], []],
  ["without a list a pattern stands for the operator's names", ofOpenai, undefined, ["gpt-house"]],
  ["without a list anything stands for all of them", anything, undefined, recorded],
  [
    "a mapped pattern stands for public names, which the upstream does not know",
    [{ id: "gpt-*", upstreamModel: "house" }],
    listed,
    ["gpt-house"],
  ],
  ["each name comes once", [...ofOpenai, { id: "gpt-5" }, ...anything], listed, listed],
];

for (const [name, models, known, expected] of cases) {
  Deno.test(`offeredNames: ${name}`, () => assertEquals(offered(models, known), [...expected]));
}
