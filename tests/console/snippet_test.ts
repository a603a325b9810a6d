import { assertEquals } from "@std/assert";
import { masked } from "../../components/Snippet.tsx";

Deno.test("a masked secret shows of a key its ends, and of a link what it is for", () => {
  assertEquals(masked("sk-0123456789abcdef"), "sk-012••••••••••••cdef");
  const link = "http://127.0.0.1:8000/invitation/0123456789abcdef";
  assertEquals(masked(link), "/invitation/••••••••••••cdef");
});
