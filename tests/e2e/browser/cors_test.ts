import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Browser, Page } from "puppeteer-core";
import { browserTest } from "./chromium.ts";
import { serveGateway } from "./journeys/served_gateway.ts";

const testKey = "sk-test-0123456789abcdefghij";

/** A page of an origin of its own. */
function servePage() {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () =>
      new Response("<!DOCTYPE html><title>App</title>", {
        headers: { "content-type": "text/html" },
      }),
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function opened(browser: Browser, origin: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(origin);
  return page;
}

interface Asked {
  readonly url: string;
  readonly key?: string;
  readonly body?: object;
  readonly credentials?: "include";
}

/** Calls from within a page: the chunks and headers that it gets, or the refusal of the browser. */
function call(page: Page, asked: Asked) {
  return page.evaluate(async ({ url, key, body, credentials }) => {
    try {
      const response = await fetch(url, {
        ...(body && { method: "POST", body: JSON.stringify(body) }),
        ...(credentials && { credentials }),
        headers: {
          ...(body && { "content-type": "application/json" }),
          ...(key && { authorization: `Bearer ${key}`, "tessera-tag": "app" }),
          ...(key && { "anthropic-dangerous-direct-browser-access": "true" }),
          ...(key && { "x-stainless-lang": "js" }),
        },
      });
      const chunks: string[] = [];
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        chunks.push(next.value);
      }
      const { status, headers } = response;
      return {
        status,
        requestId: headers.get("x-request-id"),
        chunks: chunks.length,
        text: chunks.join(""),
      };
    } catch (error) {
      return { refused: String(error) };
    }
  }, asked);
}

/** A gateway that allows the app's origin, and no other page's. */
async function openPages() {
  const app = servePage();
  const stranger = servePage();
  const gateway = await serveGateway({
    keys: [{ name: "test", value: testKey }],
    cors: { origins: [app.origin] },
  });
  return {
    app,
    stranger,
    gateway,
    [Symbol.asyncDispose]: async () => {
      for (const one of [gateway, stranger, app]) await one[Symbol.asyncDispose]();
    },
  };
}

browserTest(
  "cors: a page calls from an allowed origin, and from no other",
  openPages,
  async ({ app, stranger, gateway }, browser, context) => {
    const url = `${gateway.origin}/v1/chat/completions`;
    const body = {
      model: "tessera-echo",
      messages: [{ role: "user", content: "hello there you" }],
    };
    const page = await opened(browser, app.origin);
    await context.step("an answer and its headers", async () => {
      const got = await call(page, { url, key: testKey, body });
      assertEquals(got.status, 200);
      assertStringIncludes(got.text ?? "", "hello there you");
      assert(got.requestId?.startsWith("req_"));
    });
    await context.step("a stream, read as it comes", async () => {
      const got = await call(page, { url, key: testKey, body: { ...body, stream: true } });
      assertEquals(got.status, 200);
      assert((got.chunks ?? 0) > 1, `${got.chunks}`);
      assertStringIncludes(got.text ?? "", "[DONE]");
    });
    await context.step("an error", async () => {
      const got = await call(page, { url, key: "sk-wrong", body });
      assertEquals([got.status, JSON.parse(got.text ?? "").error.code], [401, "invalid_api_key"]);
    });
    await context.step("no call with cookies", async () => {
      const got = await call(page, { url, key: testKey, body, credentials: "include" });
      assertStringIncludes(got.refused ?? "", "Failed to fetch");
    });
    await context.step("no page of the console", async () => {
      for (const path of ["/login", "/console", "/pricing"]) {
        const got = await call(page, { url: gateway.origin + path });
        assertStringIncludes(got.refused ?? "", "Failed to fetch", path);
      }
    });
    await context.step("nothing from another origin", async () => {
      const strange = await opened(browser, stranger.origin);
      for (const asked of [{ url, key: testKey, body }, { url: `${gateway.origin}/v1/models` }]) {
        const got = await call(strange, asked);
        assertStringIncludes(got.refused ?? "", "Failed to fetch");
      }
    });
  },
);
