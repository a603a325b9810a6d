/** Configurations of teams that buy models from clouds, with the fields of LiteLLM's documents. */

/** Amazon Bedrock and Claude Platform on AWS. */
export const bedrockConfig = `
model_list:
  - model_name: claude-sonnet
    litellm_params:
      model: bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0
      aws_access_key_id: os.environ/CUSTOM_AWS_ACCESS_KEY_ID
      aws_secret_access_key: os.environ/CUSTOM_AWS_SECRET_ACCESS_KEY
      aws_region_name: os.environ/CUSTOM_AWS_REGION_NAME
      rpm: 480
      order: 1
  - model_name: claude-sonnet
    litellm_params:
      model: bedrock/converse/eu.anthropic.claude-sonnet-4-5-20250929-v1:0
      aws_access_key_id: os.environ/CUSTOM_AWS_ACCESS_KEY_ID
      aws_secret_access_key: os.environ/CUSTOM_AWS_SECRET_ACCESS_KEY
      aws_region_name: eu-central-1
      aws_role_name: arn:aws:iam::111122223333:role/gateway-bedrock
      aws_session_name: litellm
      aws_external_id: team-a
      aws_sts_endpoint: https://sts.eu-central-1.amazonaws.com
      aws_session_tags: [{ Key: team, Value: a }]
      order: 2
  - model_name: claude-opus
    litellm_params:
      model: bedrock/global.anthropic.claude-opus-5
      model_id: arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123
      api_key: os.environ/BEDROCK_KEY
      timeout: 600
  - model_name: claude-guarded
    litellm_params:
      model: bedrock/invoke/us.anthropic.claude-haiku-4-5-20251001-v1:0
      api_key: os.environ/BEDROCK_KEY
      aws_region_name: us-west-2
      guardrailConfig: { guardrailIdentifier: gr-1, guardrailVersion: "1", trace: enabled }
  - model_name: claude-guarded-2
    litellm_params:
      model: bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0
      api_key: os.environ/BEDROCK_KEY
      aws_region_name: us-west-2
      guardrailConfig: { guardrailIdentifier: os.environ/GUARDRAIL, guardrailVersion: DRAFT }
  - model_name: gpt-guarded
    litellm_params:
      model: bedrock/openai.gpt-oss-20b-1:0
      api_key: os.environ/BEDROCK_KEY
      aws_region_name: us-west-2
      guardrailConfig: { guardrailIdentifier: gr-1, guardrailVersion: "1" }
  - model_name: claude-pod
    litellm_params:
      model: bedrock/eu-west-1/anthropic.claude-haiku-4-5-20251001-v1:0
      aws_web_identity_token: oidc/file//var/run/secrets/eks.amazonaws.com/serviceaccount/token
      aws_role_name: arn:aws:iam::111122223333:role/pod
      aws_session_name: pod
  - model_name: claude-private
    litellm_params:
      model: bedrock/invoke/us.anthropic.claude-opus-4-7
      aws_region_name: us-east-1
      aws_access_key_id: os.environ/CUSTOM_AWS_ACCESS_KEY_ID
      aws_secret_access_key: os.environ/CUSTOM_AWS_SECRET_ACCESS_KEY
      aws_session_token: session-token-of-the-sample
      aws_bedrock_runtime_endpoint: https://vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com
  - model_name: gpt-oss
    litellm_params:
      model: bedrock/openai.gpt-oss-120b-1:0
      api_key: os.environ/BEDROCK_KEY
      aws_region_name: us-west-2
  - model_name: gpt-5.5
    litellm_params:
      model: bedrock_mantle/us-east-2/openai.gpt-5.5
      api_key: os.environ/BEDROCK_KEY
  - model_name: claude-platform
    litellm_params:
      model: bedrock/claude_platform/claude-opus-5
      aws_region_name: us-east-1
      workspace_id: wrkspc_01AbCd
      api_key: os.environ/PLATFORM_KEY
  - model_name: claude-laptop
    litellm_params:
      model: bedrock/anthropic.claude-haiku-4-5-20251001-v1:0
      aws_profile_name: dev
  - model_name: nova
    litellm_params: { model: "bedrock/us.amazon.nova-pro-v1:0", aws_region_name: us-east-1 }
  - model_name: profile-of-nobody
    litellm_params:
      model: bedrock/arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/xyz
  - model_name: our-agent
    litellm_params: { model: bedrock/agent/AGENT1/ALIAS1 }
`;

export const bedrockVariables = {
  CUSTOM_AWS_ACCESS_KEY_ID: "AKIASAMPLE",
  CUSTOM_AWS_SECRET_ACCESS_KEY: "secret/of+the+sample",
  CUSTOM_AWS_REGION_NAME: "us-east-1",
  BEDROCK_KEY: "ABSKsample",
  GUARDRAIL: "gr-2",
  PLATFORM_KEY: "aws-external-key",
};

/** A service account as Google writes it, with a key that opens nothing. */
export const serviceAccount = {
  type: "service_account",
  project_id: "acme-prod",
  private_key_id: "k1",
  private_key: "-----BEGIN PRIVATE KEY-----\nc2FtcGxl\n-----END PRIVATE KEY-----\n",
  client_email: "gateway@acme-prod.iam.gserviceaccount.com",
  client_id: "1",
  token_uri: "https://oauth2.googleapis.com/token",
};

/** Vertex AI; FOLDER is replaced by the folder of the file with the service account. */
export const vertexConfig = `
model_list:
  - model_name: gemini-pro
    litellm_params:
      model: vertex_ai/gemini-3-pro
      vertex_project: acme-prod
      vertex_location: global
      vertex_credentials: FOLDER/service_account.json
  - model_name: gemini-flash
    litellm_params:
      model: vertex_ai/gemini-3-flash
      vertex_ai_project: os.environ/GOOGLE_PROJECT
      vertex_ai_location: europe-west1
      vertex_ai_credentials: os.environ/GOOGLE_JSON
  - model_name: claude-sonnet
    litellm_params:
      model: vertex_ai/claude-sonnet-4-5@20250929
      vertex_location: us-east5
      vertex_credentials: os.environ/GOOGLE_JSON
      vertex_count_tokens_location: us-east5
      additional_drop_params: [temperature]
      cache_control_injection_points: [{ location: message, role: system }]
    model_info: { base_model: claude-sonnet-4-5 }
  - model_name: claude-opus
    litellm_params:
      model: vertex_ai_beta/claude-opus-5
      vertex_project: acme-prod
      vertex_location: eu
  - model_name: llama
    litellm_params:
      model: vertex_ai/meta/llama-4-maverick-17b-128e-instruct-maas
      vertex_project: acme-prod
      vertex_location: us-east5
      vertex_credentials: FOLDER/nothing.json
  - model_name: gpt-oss
    litellm_params:
      model: vertex_ai/openai/gpt-oss-120b-maas
      vertex_project: acme-prod
      vertex_credentials: { type: authorized_user, client_id: c, client_secret: s, refresh_token: r }
  - model_name: express
    litellm_params: { model: vertex_ai/gemini-3-flash, api_key: os.environ/EXPRESS_KEY }
  - model_name: tuned
    litellm_params: { model: vertex_ai/7263001846231, vertex_project: acme-prod }
  - model_name: gemma
    litellm_params: { model: vertex_ai/gemma/gemma-3-12b, vertex_project: acme-prod }
  - model_name: agent
    litellm_params: { model: vertex_ai/agent_engine/42, vertex_project: acme-prod }
  - model_name: nowhere
    litellm_params: { model: vertex_ai/gemini-3-flash }
`;

export const vertexVariables = {
  GOOGLE_PROJECT: "acme-prod",
  GOOGLE_JSON: JSON.stringify(serviceAccount),
  EXPRESS_KEY: "AQ.express-key",
};

/** Azure OpenAI and Azure AI Foundry. */
export const azureConfig = `
model_list:
  - model_name: gpt-5.1
    litellm_params:
      model: azure/gpt-51-europe
      api_base: https://acme-eu.openai.azure.com/
      api_version: "2025-04-01-preview"
      api_key: os.environ/AZURE_EU_KEY
    model_info: { base_model: azure/gpt-5.1 }
  - model_name: gpt-5.1
    litellm_params:
      model: azure/gpt5_series/gpt-51-us
      api_base: https://acme-us.openai.azure.com/openai/v1/
      api_version: v1
      tenant_id: os.environ/AZURE_TENANT
      client_id: os.environ/AZURE_CLIENT
      client_secret: os.environ/AZURE_SECRET
      azure_scope: https://cognitiveservices.azure.com/.default
  - model_name: o-model
    litellm_params:
      model: azure/o_series/our-o3
      api_base: https://gateway.acme.example/azure
      api_version: "2024-10-21"
      api_key: os.environ/AZURE_EU_KEY
  - model_name: codex
    litellm_params:
      model: azure/responses/codex-mini
      api_base: os.environ/AZURE_EU_BASE
      api_version: preview
      api_key: os.environ/AZURE_EU_KEY
  - model_name: gpt-token
    litellm_params:
      model: azure/gpt-51-europe
      api_base: https://acme-eu.openai.azure.com
      azure_ad_token: os.environ/AZURE_TOKEN
  - model_name: gpt-oidc
    litellm_params:
      model: azure/gpt-51-europe
      api_base: https://acme-eu.openai.azure.com
      azure_ad_token: oidc/github/acme
  - model_name: gpt-person
    litellm_params:
      model: azure/gpt-51-europe
      api_base: https://acme-eu.openai.azure.com
      azure_username: mira
      azure_password: secret
  - model_name: claude-opus
    litellm_params:
      model: azure_ai/claude-opus-5
      api_base: https://acme.services.ai.azure.com/anthropic/v1/messages
      api_key: os.environ/FOUNDRY_KEY
      extra_headers: { x-team: a }
  - model_name: grok
    litellm_params:
      model: azure_ai/grok-4
      api_base: https://acme.services.ai.azure.com/models
      api_key: os.environ/FOUNDRY_KEY
      api_version: "2024-05-01-preview"
  - model_name: serverless
    litellm_params:
      model: azure_ai/mistral-large
      api_base: https://mistral-x.eastus2.inference.ai.azure.example
      api_key: os.environ/FOUNDRY_KEY
`;

export const azureVariables = {
  AZURE_EU_KEY: "azure-key-of-europe",
  AZURE_EU_BASE: "https://acme-eu.openai.azure.com",
  AZURE_TENANT: "11111111-2222-3333-4444-555555555555",
  AZURE_CLIENT: "66666666-7777-8888-9999-000000000000",
  AZURE_SECRET: "client-secret-of-the-sample",
  AZURE_TOKEN: "eyJ.sample.token",
  FOUNDRY_KEY: "foundry-key",
};
