import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { checkJson } from "../../lib/json/check.ts";
import { readJson, readLongLate } from "../../lib/json/read.ts";
import { JsonScan, JsonTooComplex } from "../../lib/json/scan.ts";
import { cpuTimeMs } from "../cpu_time.ts";

const encoder = new TextEncoder();
const bounds = { nestingMax: 100, containersMax: 100_000, membersMax: 250_000, valuesMax: 500_000 };
const endless = {
  nestingMax: 1_000,
  containersMax: Infinity,
  membersMax: Infinity,
  valuesMax: Infinity,
};
const read = (text: string, within = bounds) => readJson(encoder.encode(text), within);

const tooComplex = [
  { name: "32 MiB of [[],[],…]", text: `[${"[],".repeat(11_184_800)}[]]`, says: "100000 objects" },
  { name: "32 MiB of [", text: "[".repeat(32 * 1024 * 1024), says: "deeper than 100" },
  {
    name: '32 MiB of {"a":',
    text: `{"a":`.repeat(6_710_000),
    says: "deeper than 100",
  },
  {
    name: "brackets behind strings that end in escapes",
    text: String.raw`["\\","\"","\\\"",` + "[".repeat(100),
    says: "deeper than 100",
  },
  {
    name: "a million different members",
    text: `{${Array.from({ length: 300_000 }, (_, n) => `"${n}x":1`).join()}}`,
    says: "250000 object members",
  },
  { name: "32 MiB of numbers", text: `[${"1,".repeat(16_000_000)}1]`, says: "500000 values" },
  {
    name: "32 MiB of empty strings",
    text: `["",${'"",'.repeat(11_000_000)}1]`,
    says: "500000 values",
  },
  {
    name: "32 MiB of white space",
    text: `[${" ".repeat(32_000_000)}]`,
    says: "8000000 bytes of numbers and white space",
  },
] as const;

for (const { name, text, says } of tooComplex) {
  Deno.test(`readJson refuses ${name} before it is parsed`, async () => {
    const bytes = encoder.encode(text);
    const before = Deno.memoryUsage();
    const error = await assertRejects(() => readJson(bytes, bounds), JsonTooComplex, says);
    assert(error);
    const grownBytes = Deno.memoryUsage().heapUsed - before.heapUsed;
    assert(grownBytes < 64 * 1024 * 1024, `the heap grew by ${grownBytes} bytes`);
  });
}

Deno.test("readJson lets other work have a turn while it reads a batch of 2,048 x 3,072 floats", async () => {
  const vector = `[${Array.from({ length: 3_072 }, (_, n) => `0.${101 + n % 9}`).join()}]`;
  const text = `{"model":"m","input":[${Array(2_048).fill(vector).join()}]}`;
  let lastAt = performance.now();
  let longestMs = 0;
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastAt);
    lastAt = performance.now();
  }, 1);
  const bytes = encoder.encode(text);
  lastAt = performance.now();
  const { value } = await readJson(bytes, endless);
  clearInterval(timer);
  assert(JSON.stringify(value) === text, "what was read is what was written");
  assert(longestMs < 250, `nothing else ran for ${longestMs} ms`);
});

for (const [name, times] of [["at once", 1], ["in pieces", 20]] as const) {
  Deno.test(`readJson reads what JSON.parse reads, and nothing else, ${name}`, () =>
    readsAll(times));
}

/** Longer values are read in pieces. */
async function readsAll(times: number): Promise<void> {
  const long = "x".repeat(70_000 * times);
  const wide = `[${Array.from({ length: 20_000 * times }, (_, n) => n).join()}]`;
  const valid = [
    `{"a":[${wide},1,"${long}"], "b" : ${wide} , "__proto__":{"c":${wide}},"a":2}`,
    `[${wide},{"x":"${long}","y":"${long}","z":${wide}},[],{},"",1]`,
    ` { "a" : [ ${wide} ] } `,
    `[${" ".repeat(100_000 * times)}]`,
    `"${long}${long}"`,
    `\ufeff{"a":${wide}}`,
    `["\\"${long}\\\\","[${long}"]`,
  ];
  for (const text of valid) {
    assertEquals((await read(text, endless)).value, JSON.parse(text.replace("\ufeff", "")));
  }
  const invalid = [
    `[${wide},]`,
    `[,${wide}]`,
    `[1,,${wide}]`,
    `[${wide}${wide}]`,
    `[${wide} 1]`,
    `[${wide};1]`,
    `{"a":${wide};"b":1}`,
    `{${wide}}`,
    `{"a":${wide},}`,
    `{"a" ${wide}}`,
    `{"a":1 "b":${wide}}`,
    `[${wide}}`,
    `{"a":${wide}]`,
    `${wide}1`,
    `[${wide}`,
    `["${long}${long}`,
  ];
  for (const text of invalid) await assertRejects(() => read(text, endless), SyntaxError);
  await assertRejects(() => readJson(Uint8Array.of(0xff), endless), TypeError);
  await assertRejects(() => readJson(Uint8Array.of(0x22, 0xff, 0x22), endless), TypeError);
  assertEquals((await read('"\ufffd"', endless)).value, "\ufffd");
}

Deno.test("readJson reads a long string in slices that cut no escape and no character", async () => {
  const parts = ["a", '"', "\\", "\n", "é", "你", "😀", "\ud83d", "\\u00e9", "\u0001"];
  for (let shift = 0; shift < 24; shift++) {
    const text = "x".repeat(shift) + parts.join("").repeat(150_000);
    const json = JSON.stringify([text]);
    assert(JSON.stringify((await read(json, endless)).value) === json, `${shift}`);
    const escaped = `["${"\\".repeat(shift * 2)}${String.raw`\ud83d\ude00\\`.repeat(100_000)}"]`;
    const { value } = await read(escaped, endless);
    assert(JSON.stringify(value) === JSON.stringify(JSON.parse(escaped)), `${shift}`);
  }
});

Deno.test("readLongLate refuses what JSON.parse refuses, and parses long members when they are read", async () => {
  const wide = `[${"1,".repeat(200_000)}1]`;
  const text = `{"a":${wide},"b":{"c":"${"x\\n".repeat(200_000)}"},"a2":1}`;
  const body = await readLongLate(encoder.encode(text), endless);
  assertEquals(Object.keys(body), ["a", "b", "a2"]);
  assert(JSON.stringify(body) === text);
  const twice = await readLongLate(
    encoder.encode(`{"a":${wide},"a":1,"b":1,"b":${wide}}`),
    endless,
  );
  assertEquals([twice.a, (twice.b as unknown[]).length], [1, 200_001]);
  const broken = [
    `{"a":[${wide},]}`,
    `{"a":${wide} 1}`,
    `[${wide}]`,
    `{"a":[${wide}}`,
    `{"a":[1x${wide}]}`,
  ];
  for (const one of broken) {
    await assertRejects(() => readLongLate(encoder.encode(one), endless), SyntaxError);
  }
});

Deno.test("readJson reads any JSON, whatever of it is long", async () => {
  const pad = fc.integer({ min: 0, max: 1_200_000 }).map((length) => "é".repeat(length));
  const json = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: "small" }, pad, fc.integer(), tie("list"), tie("object")),
    list: fc.array(tie("any"), { maxLength: 5 }),
    object: fc.dictionary(fc.string({ maxLength: 5 }), tie("any"), { maxKeys: 5 }),
  })).any;
  await fc.assert(
    fc.asyncProperty(json, fc.constantFrom(undefined, 2), async (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assertEquals((await read(text, endless)).value, JSON.parse(text));
    }),
    { numRuns: 40 },
  );
});

Deno.test("JsonScan finds the same in any chunks", () => {
  const text = fc.array(
    fc.constantFrom('"', "\\", "[", "]", "{", "}", ":", "x".repeat(70), "1,"),
    { maxLength: 60 },
  ).map((pieces) => pieces.join(""));
  fc.assert(fc.property(text, fc.array(fc.nat(800)), (json, cuts) => {
    const bytes = encoder.encode(json);
    const at = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b);
    const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
    assertEquals(verdict(chunks), verdict([bytes]));
  }));
});

Deno.test("JsonScan counts the members of the outermost object", () => {
  const objects = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(fc.property(objects, (object) => {
    const scan = new JsonScan(bounds);
    scan.push(encoder.encode(JSON.stringify(object, null, 1)));
    assertEquals(scan.topMembers, Object.keys(object).length);
  }));
});

Deno.test("JsonScan bounds the members of each object", () => {
  const limits = { ...bounds, objectMembersMax: 2 };
  const scanned = (text: string, at: number) => {
    const scan = new JsonScan(limits);
    scan.push(encoder.encode(text.slice(0, at)));
    scan.push(encoder.encode(text.slice(at)));
  };
  for (const fits of ['{"a":{"b":1,"c":{}},"d":[{"e":1},{"f":1,"g":1}]}', "[1,2,3]"]) {
    for (let at = 0; at <= fits.length; at++) scanned(fits, at);
    assertEquals(
      checkJson(encoder.encode(fits), { ...limits, weightMax: 1e6 }) !== undefined,
      fits[0] === "{",
    );
  }
  for (
    const exceeds of [
      '{"a":1,"b":{},"c":1}',
      '[{"a":{"b":1,"c":1,"d":[]}}]',
      '{"a":1,"b":[{}],"c":',
    ]
  ) {
    for (let at = 0; at <= exceeds.length; at++) {
      assertThrows(() => scanned(exceeds, at), JsonTooComplex, "more than 2 members in one object");
    }
    assertEquals(checkJson(encoder.encode(exceeds), { ...limits, weightMax: 1e6 }), undefined);
  }
});

/** The result of scanning chunks with low limits. */
function verdict(chunks: readonly Uint8Array[]): string | number {
  const scan = new JsonScan({
    nestingMax: 4,
    containersMax: 8,
    membersMax: Infinity,
    valuesMax: Infinity,
  });
  try {
    for (const chunk of chunks) scan.push(chunk);
    return scan.topMembers;
  } catch (error) {
    return String(error);
  }
}

Deno.test("JsonScan adds little to a body of 500 KB with tools and history", () => {
  const turn = { role: "user", content: `He said "so".\n${"and it was so ".repeat(70)}` };
  const tool = {
    type: "function",
    function: { name: "f", parameters: { type: "object", properties: { a: { type: "string" } } } },
  };
  const body = { model: "m", messages: Array(470).fill(turn), tools: Array(60).fill(tool) };
  const text = JSON.stringify(body);
  const bytes = encoder.encode(text);
  assert(bytes.length > 450_000, `${bytes.length}`);
  const scanMs = leastMs(() => void new JsonScan(bounds).push(bytes));
  const parseMs = leastMs(() => JSON.parse(text));
  assert(scanMs < Math.max(1, parseMs), `scanning took ${scanMs} ms, parsing ${parseMs} ms`);
});

Deno.test("readJson reads a conversation of 200 KB in little more than its scan and JSON.parse take", async () => {
  const turn = {
    role: "user",
    content: 'Refactor this "function", please.\nlet x = a[i] + 1; '.repeat(2),
  };
  const text = JSON.stringify({ model: "m", messages: Array(1_500).fill(turn) });
  const bytes = encoder.encode(text);
  assert(bytes.length > 190_000, `${bytes.length}`);
  const least = { read: Infinity, parts: Infinity };
  for (let run = 0; run < 50; run++) { // in turns: the machine may change its speed
    least.parts = Math.min(
      least.parts,
      await cpuMsOf(() => {
        new JsonScan(bounds).push(bytes);
        JSON.parse(new TextDecoder().decode(bytes));
      }),
    );
    least.read = Math.min(least.read, await cpuMsOf(() => readJson(bytes, bounds)));
  }
  assert(least.read < 1.35 * least.parts, JSON.stringify(least));
});

async function cpuMsOf(work: () => unknown): Promise<number> {
  const startedAt = cpuTimeMs();
  for (let times = 0; times < 5; times++) await work();
  return cpuTimeMs() - startedAt;
}

/** The minimum of many runs, because the others may have been interrupted. */
function leastMs(work: () => void): number {
  return Math.min(...Array.from({ length: 50 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  }));
}
