import { assertEquals } from "@std/assert";
import { carriedAsGenerateContent, carriedKey } from "../../lib/http/key_carrier.ts";

const cases: readonly {
  name: string;
  headers: Record<string, string>;
  query: string;
  key?: string;
  generateContent: boolean;
}[] = [
  {
    name: "Bearer",
    headers: { authorization: "Bearer sk-a" },
    query: "",
    key: "sk-a",
    generateContent: false,
  },
  {
    name: "bearer in any case and spacing",
    headers: { authorization: "  bearer   sk-a " },
    query: "",
    key: "sk-a",
    generateContent: false,
  },
  {
    name: "x-api-key",
    headers: { "x-api-key": "sk-a" },
    query: "",
    key: "sk-a",
    generateContent: false,
  },
  {
    name: "x-alt-api-key",
    headers: { "x-alt-api-key": "sk-a" },
    query: "",
    key: "sk-a",
    generateContent: true,
  },
  {
    name: "x-goog-api-key",
    headers: { "x-goog-api-key": "sk-a" },
    query: "",
    key: "sk-a",
    generateContent: true,
  },
  { name: "?key=", headers: {}, query: "?key=sk-a", key: "sk-a", generateContent: true },
  {
    name: "the first that is present",
    headers: { authorization: "Bearer sk-a", "x-api-key": "sk-b" },
    query: "?key=sk-c",
    key: "sk-a",
    generateContent: false,
  },
  {
    name: "the next where Bearer is empty",
    headers: { authorization: "Bearer ", "x-api-key": "sk-b" },
    query: "",
    key: "sk-b",
    generateContent: false,
  },
  { name: "nothing", headers: {}, query: "", key: undefined, generateContent: false },
  {
    name: "nothing in another scheme",
    headers: { authorization: "Basic c2s6" },
    query: "",
    key: undefined as string | undefined,
    generateContent: false,
  },
];

for (const { name, headers, query, key, generateContent } of cases) {
  Deno.test(`carriedKey takes ${name}`, () => {
    const url = new URL(`http://localhost/v1/models${query}`);
    assertEquals(carriedKey(new Headers(headers), url), key);
    assertEquals(carriedAsGenerateContent(new Headers(headers), url), generateContent);
  });
}
