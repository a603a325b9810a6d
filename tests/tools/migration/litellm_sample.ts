import { digestOf } from "../../../lib/store/mod.ts";

/** The plain key of the sample's user, which LiteLLM keeps as a digest. */
export const litellmKey = "sk-r3ZkQ0b6mV1xTtYw8uJ2Pg";
/** Secrets of the sample that no output may contain. */
export const litellmSecrets = [
  litellmKey,
  "sk-proj-plain-in-the-file",
  "azure-key-1",
  "azure-key-2",
];

export const litellmVariables = {
  OPENAI_API_KEY: "sk-proj-plain-in-the-file",
  AZURE_KEY_1: "azure-key-1",
  AZURE_KEY_2: "azure-key-2",
};

/** A configuration with the features that real ones have. */
export const litellmConfig = `
model_list:
  - model_name: gpt-4o
    litellm_params:
      model: openai/gpt-4o
      api_key: os.environ/OPENAI_API_KEY
      rpm: 480
      timeout: 300
      stream_timeout: 60
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-europe
      api_base: https://europe.openai.azure.com/
      api_version: "2024-10-21"
      api_key: os.environ/AZURE_KEY_1
      weight: 3
    model_info:
      base_model: azure/gpt-4o
      access_groups: ["chat"]
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-europe
      api_base: https://europe.openai.azure.com/
      api_key: os.environ/AZURE_KEY_2
      weight: 3
  - model_name: local
    litellm_params:
      model: ollama_chat/llama3.3
      api_base: http://127.0.0.1:11434
      input_cost_per_token: 0.0000025
      output_cost_per_token: 0.00001
    model_info:
      max_input_tokens: 131072
  - model_name: claude
    litellm_params:
      model: claude-sonnet-4-5
      api_key: os.environ/ANTHROPIC_API_KEY
  - model_name: nova
    litellm_params:
      model: bedrock/amazon.nova-pro-v1:0
      aws_region_name: us-east-1
  - model_name: "groq/*"
    litellm_params:
      model: groq/*
      api_key: os.environ/OPENAI_API_KEY
litellm_settings:
  drop_params: true
  request_timeout: 90
  fallbacks: [{ "gpt-4o": ["claude"] }]
  unheard_of: 1
router_settings:
  routing_strategy: usage-based-routing-v2
  model_group_alias: { "gpt-4": "gpt-4o", "old": { model: "local", hidden: true } }
general_settings:
  master_key: sk-1234
  database_url: os.environ/DATABASE_URL
`;

const tokenColumns =
  "token, key_name, key_alias, spend, expires, models, user_id, team_id, max_parallel_requests, " +
  "metadata, blocked, tpm_limit, rpm_limit, max_budget, budget_duration, created_at";

/** A dump as pg_dump writes it: four keys, of which one signs in to LiteLLM's dashboard. */
export const litellmDump = `--
-- PostgreSQL database dump
--

SET client_encoding = 'UTF8';
CREATE TABLE public."LiteLLM_TeamTable" (
    team_id text NOT NULL,
    metadata jsonb DEFAULT '{"a;b": 1}'::jsonb
);

COPY public."LiteLLM_SpendLogs" (request_id, messages) FROM stdin;
r1\t{"text": "INSERT INTO users; \\\\n"}
\\.

COPY public."LiteLLM_TeamTable" (team_id, team_alias, models, max_budget, budget_duration, spend, blocked) FROM stdin;
team-1\tResearch & more\t{gpt-4o,"local"}\t90\t90d\t12.5\tf
\\.

COPY public."LiteLLM_UserTable" (user_id, user_email, user_role, max_budget, budget_duration, spend, models, created_at) FROM stdin;
u-1\tMira@Example.com\tproxy_admin\t\\N\t\\N\t3.5\t{}\t2025-03-01 10:00:00
u-2\t\\N\tinternal_user\t20\t30d\t1\t{no-default-models}\t2025-03-02 10:00:00.123
\\.

COPY public."LiteLLM_VerificationToken" (${tokenColumns}) FROM stdin;
${
  digestOf(litellmKey)
}\tsk-...J2Pg\talpha\t4.25\t\\N\t{chat}\tu-1\tteam-1\t\\N\t{"tags": ["a"]}\t\\N\t1000\t60\t10\t\\N\t2025-04-01 00:00:00
${
  digestOf("sk-2")
}\tsk-...0002\talpha\t0\t2030-01-01 00:00:00\t{}\tu-1\t\\N\t\\N\t{}\tt\t\\N\t\\N\t\\N\t\\N\t2025-04-02 00:00:00
${
  digestOf("sk-3")
}\tsk-...0003\t\\N\t9\t\\N\t{all-team-models}\tgone\t\\N\t4\t{}\tf\t\\N\t\\N\t5\t\\N\t\\N
${
  digestOf("sk-4")
}\tsk-...0004\t\\N\t0\t\\N\t{}\tu-1\tlitellm-dashboard\t\\N\t{}\tf\t\\N\t\\N\t\\N\t\\N\t\\N
\\.

--
-- PostgreSQL database dump complete
--
`;
