import AnthropicAws from "@anthropic-ai/aws-sdk";
import AnthropicBedrock from "@anthropic-ai/bedrock-sdk";
import AnthropicFoundry from "@anthropic-ai/foundry-sdk";
import AnthropicVertex from "@anthropic-ai/vertex-sdk";
import { assertEquals } from "@std/assert";
import { OAuth2Client } from "google-auth-library";
import { startUpstream } from "../fake_upstream.ts";
import { cloudAnswer, cloudWays } from "./fake_clouds.ts";

/** The vendor's own clients prove that the fakes of the clouds are right. */
const body = {
  max_tokens: 9,
  messages: [{ role: "user" as const, content: "How do cats sleep?" }],
};

type VertexOptions = NonNullable<ConstructorParameters<typeof AnthropicVertex>[0]>;

const signedIn = new OAuth2Client();
signedIn.setCredentials({ access_token: "key", expiry_date: Date.now() + 3_600_000 });
const authClient = signedIn as unknown as VertexOptions["authClient"]; // the same class of another release

async function withCloud(
  id: string,
  run: (base: string, model: string) => Promise<readonly string[]>,
): Promise<void> {
  const way = cloudWays.find((one) => one.id === id);
  if (!way) throw new Error(`No way ${id}`);
  await using cloud = startUpstream((seen) => cloudAnswer(way, seen));
  assertEquals(await run(`${cloud.base}/${id}`, way.model), ["Cats nap", "Cats nap"]);
}

Deno.test("Anthropic's client of Bedrock reads the fake of InvokeModel, whole and streamed", () =>
  withCloud("invoke", async (baseURL, model) => {
    const client = new AnthropicBedrock({ baseURL, apiKey: "key", awsRegion: "eu-central-1" });
    const version = { anthropic_version: "bedrock-2023-05-31" };
    const whole = await client.messages.create({ ...body, ...version, model });
    const stream = await client.messages.create({ ...body, ...version, model, stream: true });
    return [textOf(whole.content), await streamed(stream)];
  }));

Deno.test("Anthropic's client of Vertex AI reads its fake, whole and streamed", () =>
  withCloud("vertex-claude", async (base, model) => {
    const client = new AnthropicVertex({
      baseURL: `${base}/v1`,
      region: "global",
      projectId: "p1",
      authClient,
    });
    const version = { anthropic_version: "vertex-2023-10-16" };
    const whole = await client.messages.create({ ...body, ...version, model });
    const stream = await client.messages.create({ ...body, ...version, model, stream: true });
    return [textOf(whole.content), await streamed(stream)];
  }));

Deno.test("Anthropic's client of Foundry reads its fake, whole and streamed", () =>
  withCloud("foundry", async (base, model) => {
    const client = new AnthropicFoundry({ baseURL: `${base}/anthropic`, apiKey: "key" });
    const whole = await client.messages.create({ ...body, model });
    const stream = await client.messages.create({ ...body, model, stream: true });
    return [textOf(whole.content), await streamed(stream)];
  }));

Deno.test("Anthropic's client of Claude Platform on AWS reads its fake, whole and streamed", () =>
  withCloud("aws", async (baseURL, model) => {
    const way = { awsRegion: "eu-central-1", workspaceId: "wrkspc_1" };
    const client = new AnthropicAws({ baseURL, apiKey: "key", ...way });
    const whole = await client.messages.create({ ...body, model });
    const stream = await client.messages.create({ ...body, model, stream: true });
    return [textOf(whole.content), await streamed(stream)];
  }));

function textOf(content: readonly { readonly type: string }[]): string {
  return content.map((block) => "text" in block ? block.text : "").join("");
}

async function streamed(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const event of stream) {
    const { delta } = event as { readonly delta?: { readonly text?: string } }; // one of the vendor's events
    text += delta?.text ?? "";
  }
  return text;
}
