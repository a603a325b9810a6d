import { type ApiField, type CliOperation, optionName, pathParts } from "./operation.ts";

/** Examples that show more than the required options of their commands. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  "usage list": [
    "tessera usage --by user --from yesterday --to today",
    "tessera usage --by key --step day --from 7d",
    "tessera usage --by tag --tag-key team --sort requests",
  ],
  "calls list": [
    "tessera calls --status failed --from 1h",
    "tessera calls --cost-over 0.50 --from 2026-11-28",
  ],
  "audit list": ["tessera audit --kind key --from yesterday"],
  "keys list": ["tessera keys --user-id ada@example.com"],
  "keys create": [
    "tessera keys create --name nightly --user-id ada@example.com --budget 5/day --expires-at 90d",
  ],
  "keys update": ["tessera keys update ci --budget 10/day --models gpt-5,gpt-5-mini"],
  "users update": ["tessera users update ada@example.com --budget 50/month"],
  "groups delete": ["tessera groups delete team --move-keys-to default"],
  "projects update": ["tessera projects update web --budget 200/month"],
  "organization update": ["tessera organization update --budget 1000/month"],
  "tags update": ["tessera tags update team=a --budget 20/day"],
  "models set-price": [
    "tessera models set-price my-model --input 3 --output 15 --cached-input 0.3",
    "tessera models set-price my-model --input 3 --output 15 --from 2027-01-01",
  ],
  "models rerate": ["tessera models rerate my-model --input 3 --output 15"],
  "models delete-members": ["tessera models delete-members smart"],
  "models set-members": [
    `tessera models set-members smart --members '[{"model":"my-model"},{"model":"tessera-echo"}]'`,
  ],
  "settings email update": [
    "tessera settings email update --host smtp.example.com --from gateway@example.com",
  ],
  "settings update": ["tessera settings update --site-name 'My gateway'"],
  "upstreams create": [
    "tessera upstreams create --id openai --preset openai --credentials sk-example",
  ],
  "upstreams update": ["tessera upstreams update vendor --priority 10"],
  "upstreams import-models": [
    `tessera upstreams import-models vendor --add '[{"id":"large","upstream_model":"large-2"}]'`,
  ],
  "wallets adjust": [
    "tessera wallets adjust ada@example.com --amount 1.00 --direction add --reason 'a correction'",
  ],
  "users create": ["tessera users create --email grace@example.com --budget 50/month"],
  "invitations create": ["tessera invitations create --email new-user@example.com"],
  "webhooks create": [
    "tessera webhooks create --url https://hooks.example.com/alerts --types call.failed,upstream.down",
  ],
  "webhooks update": [
    "tessera webhooks update https://hooks.example.com/tessera --types call.failed",
  ],
};

/** Complete examples of a command, which work when they are pasted, given objects of these names. */
export function examplesOf(operation: CliOperation): readonly string[] {
  const { words, body = [] } = operation;
  const required = body.filter((field) => field.required)
    .map((field) => `--${optionName(field)} ${sampleOf(field)}`);
  const parts = pathParts(operation).map((part) => partOf(part, words[0]));
  return chosen[words.join(" ")] ?? [["tessera", ...words, ...parts, ...required].join(" ")];
}

const names: Readonly<Record<string, string>> = {
  keys: "ci",
  users: "ada@example.com",
  invitations: "new@example.com",
  groups: "team",
  projects: "web",
  tokens: "deploy",
  codes: "launch",
  webhooks: "https://hooks.example.com/tessera",
  models: "my-model",
  upstreams: "vendor",
};

/** A name, an address, or the newest of those that have neither. */
function partOf(part: string, resource: string): string {
  if (part === "user_id") return "ada@example.com";
  if (part === "tag") return "team=a";
  if (part === "from") return "2027-01-01";
  return part === "id" ? names[resource] ?? "latest" : "latest";
}

const samples: Readonly<Record<string, string>> = {
  scopes: "usage:read,calls:read",
  id: "shop",
  tag: "team=b",
  name: "nightly",
  reason: "'a gift'",
  amount: "5.00",
  user_id: "ada@example.com",
  models: "my-model",
  credentials: "sk-example",
};

function sampleOf({ name, type, choices }: ApiField): string {
  return choices?.[0] ?? samples[name] ?? (type === "number" ? "1" : "text");
}
