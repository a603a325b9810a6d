import { assertEquals } from "@std/assert";
import { planOf, rowsOf } from "./litellm_clouds_plan.ts";
import { serviceAccount } from "./litellm_clouds_sample.ts";

/** Deployments without parameters of their own, which LiteLLM takes from its environment. */
const fromEnvironment: readonly {
  readonly model: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly place: string;
  readonly sign: string;
}[] = [
  {
    model: "bedrock/us.anthropic.claude-opus-5",
    variables: { AWS_BEARER_TOKEN_BEDROCK: "ABSK", AWS_REGION: "us-east-2" },
    place: "bedrock us-east-2: us.anthropic.claude-opus-5",
    sign: "key",
  },
  {
    model: "bedrock/us.anthropic.claude-opus-5",
    variables: {
      AWS_ACCESS_KEY_ID: "A",
      AWS_SECRET_ACCESS_KEY: "S",
      AWS_ROLE_NAME: "arn:r",
      AWS_REGION_NAME: "us-east-2",
    },
    place: "bedrock us-east-2: us.anthropic.claude-opus-5",
    sign: "aws",
  },
  {
    model: "bedrock/us.anthropic.claude-opus-5",
    variables: {
      AWS_ROLE_ARN: "arn:r",
      AWS_WEB_IDENTITY_TOKEN_FILE: "/t",
      AWS_REGION: "us-east-2",
    },
    place: "bedrock us-east-2: us.anthropic.claude-opus-5",
    sign: "aws_machine, disabled",
  },
  {
    model: "bedrock/us.anthropic.claude-opus-5",
    variables: { AWS_ROLE_NAME: "arn:r", AWS_REGION: "us-east-2" },
    place: "bedrock us-east-2: us.anthropic.claude-opus-5",
    sign: "aws_machine, disabled",
  },
  {
    model: "bedrock/us.anthropic.claude-opus-5",
    variables: { AWS_PROFILE_NAME: "dev", AWS_REGION: "us-east-2" },
    place: "bedrock us-east-2: us.anthropic.claude-opus-5",
    sign: "nothing, disabled",
  },
  {
    model: "bedrock_mantle/openai.gpt-5.5",
    variables: {
      BEDROCK_MANTLE_API_KEY: "M",
      BEDROCK_MANTLE_REGION: "eu-west-1",
      BEDROCK_MANTLE_API_BASE: "https://mantle.example/v1",
    },
    place: "bedrock-mantle eu-west-1: openai.gpt-5.5",
    sign: "key",
  },
  {
    model: "vertex_ai/gemini-3-pro",
    variables: {
      VERTEXAI_PROJECT: "acme-prod",
      VERTEX_LOCATION: "eu",
      GOOGLE_APPLICATION_CREDENTIALS: JSON.stringify(serviceAccount),
    },
    place: "vertex eu: gemini-3-pro",
    sign: "service_account",
  },
  {
    model: "azure/our-gpt",
    variables: {
      AZURE_API_BASE: "https://acme.openai.azure.com",
      AZURE_TENANT_ID: "t",
      AZURE_CLIENT_ID: "c",
      AZURE_CLIENT_SECRET: "s",
    },
    place: "azure-openai: our-gpt",
    sign: "entra",
  },
  {
    model: "azure/our-gpt",
    variables: {
      AZURE_API_BASE: "https://acme.openai.azure.com",
      AZURE_TENANT_ID: "t",
      AZURE_CLIENT_ID: "c",
      AZURE_FEDERATED_TOKEN_FILE: "/t",
    },
    place: "azure-openai: our-gpt",
    sign: "entra, disabled",
  },
  {
    model: "azure_ai/claude-opus-5",
    variables: {
      AZURE_AI_API_BASE: "https://acme.services.ai.azure.com",
      AZURE_AI_API_KEY: "k",
    },
    place: "foundry: claude-opus-5",
    sign: "key",
  },
];

for (const { model, variables, place, sign } of fromEnvironment) {
  const names = Object.keys(variables).join(", ");
  Deno.test(`litellm: ${model} takes ${names} from the environment`, async () => {
    const params = { model_name: "m", litellm_params: { model } };
    const { plan } = await planOf(`model_list: [${JSON.stringify(params)}]`, variables);
    assertEquals(rowsOf(plan).map(([, , at, how]) => [at, how]), [[place, sign]]);
    const own = variables.BEDROCK_MANTLE_API_BASE?.replace("/v1", "");
    if (own) assertEquals(plan.upstreams[0].endpoints.responses?.startsWith(own), true);
  });
}
