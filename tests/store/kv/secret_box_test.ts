import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { SecretBox } from "../../../lib/store/kv/secret_box.ts";
import { StoreError } from "../../../lib/store/mod.ts";

Deno.test("SecretBox opens what it sealed, and seals the same differently each time", async () => {
  const box = await SecretBox.create("secret");
  const [first, second] = [await box.seal("plain ✓", "a"), await box.seal("plain ✓", "a")];
  assertNotEquals(first, second);
  assert(!first.includes("plain"));
  assertEquals(await box.open(first, "a"), "plain ✓");
  assertEquals(await (await SecretBox.create("secret")).open(second, "a"), "plain ✓");
});

const tamperings: { name: string; tamper: (sealed: string) => string }[] = [
  { name: "a changed byte", tamper: (sealed) => swapAt(sealed, sealed.length - 5) },
  { name: "a changed initialisation vector", tamper: (sealed) => swapAt(sealed, 4) },
  { name: "a missing end", tamper: (sealed) => sealed.slice(0, -8) },
  { name: "another scheme", tamper: (sealed) => `v2${sealed.slice(2)}` },
  { name: "no seal at all", tamper: () => "plain" },
  { name: "nothing", tamper: () => "" },
  { name: "bytes that are no base64", tamper: () => "v1.!!.??" },
];
for (const { name, tamper } of tamperings) {
  Deno.test(`SecretBox refuses ${name}`, async () => {
    const box = await SecretBox.create("secret");
    const sealed = tamper(await box.seal("plain", "a"));
    const error = await assertRejects(() => box.open(sealed, "a"), StoreError);
    assertEquals(error.code, "unreadable");
  });
}

Deno.test("SecretBox keeps a byte order mark at the start of a text", async () => {
  const box = await SecretBox.create("secret");
  assertEquals(await box.open(await box.seal("\ufeffkey", "a"), "a"), "\ufeffkey");
});

Deno.test("SecretBox refuses another secret and another context", async () => {
  const box = await SecretBox.create("secret");
  const sealed = await box.seal("plain", "upstream a");
  const other = await SecretBox.create("Secret");
  await assertRejects(() => other.open(sealed, "upstream a"), StoreError);
  await assertRejects(() => box.open(sealed, "upstream b"), StoreError);
});

Deno.test("SecretBox opens what a former secret sealed, and seals with the newest", async () => {
  const former = await SecretBox.create("secret");
  const content = new TextEncoder().encode("content");
  const sealed = await former.seal("plain", "a");
  const sealedContent = await former.sealContent(content, "a") as Uint8Array<ArrayBuffer>;
  const capsule = await former.sealCapsule("summary", "account");
  const box = await SecretBox.create("newest", ["other", "secret"]);
  assertEquals(await box.open(sealed, "a"), "plain");
  assertEquals(await box.openContent(sealedContent, "a"), content);
  assertEquals(await box.openCapsule(capsule, "account"), "summary");
  await assertRejects(async () => former.open(await box.seal("plain", "a"), "a"), StoreError);
});

Deno.test("SecretBox opens a capsule only for its account and unchanged", async () => {
  const box = await SecretBox.create("secret");
  const capsule = await box.sealCapsule("summary", "account");
  assert(/^tsc1\.[0-9a-f]{8}\.[\w-]+$/.test(capsule), capsule);
  const bad = [
    swapAt(capsule, capsule.length - 5),
    capsule.replace("tsc1", "tsc2"),
    capsule.slice(0, 30),
    "tsc1.0.!",
    "",
  ];
  for (const one of bad) assertEquals(await box.openCapsule(one, "account"), undefined);
  assertEquals(await box.openCapsule(capsule, "other"), undefined);
  assertEquals(
    await box.openCapsule(await box.seal("credential", "account"), "account"),
    undefined,
  );
});

function swapAt(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === "A" ? "B" : "A") + text.slice(index + 1);
}
