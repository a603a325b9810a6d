import { assert, assertEquals } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import { objectOf, objectsOf, textOf } from "../../../lib/formats/wire_value.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { answered, eventsIn } from "./format_pair.ts";

/** A second turn after audio: its id was made by the gateway, because this vendor has none. */

const spoken: JsonObject = {
  candidates: [{
    index: 0,
    finishReason: "STOP",
    content: {
      role: "model",
      parts: [{ inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data: "AAAA" } }],
    },
  }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, totalTokenCount: 8 },
};

const asked = { role: "user", content: "Say it" };

async function chat({ base, key }: TestGateway, stream: boolean, messages: JsonObject[]) {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream, messages }),
  });
  const text = await response.text();
  assertEquals(response.status, 200, text.slice(0, 500));
  return text;
}

/** The message's audio, of a whole answer or of a stream. */
function audioIn(text: string, stream: boolean): JsonObject {
  if (!stream) return objectOf(objectOf(objectsOf(JSON.parse(text).choices)[0].message).audio);
  const deltas = eventsIn(text).filter(({ data }) => data !== "[DONE]")
    .flatMap(({ data }) => objectsOf(JSON.parse(data).choices).map(({ delta }) => objectOf(delta)));
  return Object.assign({}, ...deltas.map(({ audio }) => audio).filter(isJsonObject));
}

for (const stream of [false, true]) {
  for (const replay of ["by its id", "whole"]) {
    Deno.test(`audio of a generate-content upstream is sent back ${replay}, stream ${stream}`, async () => {
      const sent: string[] = [];
      await using upstream = startUpstream((seen) => {
        sent.push(seen.body);
        return answered("generate-content", spoken, seen);
      });
      await using gateway = await startGateway(oneUpstream({ "generate-content": upstream.base }));
      const audio = audioIn(await chat(gateway, stream, [asked]), stream);
      assert(textOf(audio.id).startsWith("audio_"), JSON.stringify(audio));
      const kept = replay === "whole" ? audio : { id: audio.id ?? null };
      const said = { role: "assistant", content: null, audio: kept };
      await chat(gateway, stream, [asked, said, { role: "user", content: "Again" }]);
      assertEquals(JSON.parse(sent[1]).contents, [{
        role: "user",
        parts: [{ text: "Say it" }, { text: "Again" }],
      }]);
    });
  }
}
