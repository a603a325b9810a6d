/** Client setup. */
export const connect = {
  title: "Connect",
  clients: "Clients",
  all: "All clients",
  more: "More clients",
  guide: "Setup guide for all clients",
  key: "Key",
  system: "System",
  unix: "macOS, Linux",
  windows: "Windows",
  use: "Update example",
  paste: "Run this in a terminal, or use it in a program.",
  toFile: (file: string) => `Add this to ${file}. Create the file if it does not exist.`,
  byHand: "Enter this in the client's settings.",
  placeholder: (key: string) => `Replace YOUR_KEY with the secret of ${key}.`,
  noKey: "Replace YOUR_KEY with the secret of one of your keys.",
  filledIn:
    "Your key is already filled in, hidden until you show it above. Copied text includes it.",
  setting: (client: string) => `Settings for ${client}`,
  copy: (client: string) => `Copy the settings for ${client}`,
  ccSwitch: "Open in CC Switch",
  ccSwitchText: "CC Switch imports the base URL and the model. Enter the key there.",
  copyUrl: "Copy base URL",
  twice:
    "If the log shows /v1/v1 or a path twice, shorten the base URL: the client adds the path itself.",
  chatAndResponses: "Chat completions, Responses",
  messages: "Messages",
  generateContent: "Generate content: Gemini CLI and SDKs",
  generateContentRest: "Generate content: REST",
  notes: {
    "claude-code":
      "Leave ANTHROPIC_API_KEY unset: it conflicts with the token. The base URL has no /v1; Claude Code adds it.",
    codex:
      "Codex needs the Responses format: leave wire_api as it is. Put the key into the environment variable, not into the file.",
    "gemini-cli":
      "Choose API key when Gemini CLI asks how to sign in. The base URL has no /v1beta; Gemini CLI adds it.",
    cursor: "Cursor calls from its own servers: the gateway must be reachable from the internet.",
    zed: "Set max_tokens to the model's context window.",
    "open-webui": "Choose the model in Open WebUI, which lists this gateway's models.",
    librechat: "With Docker, mount the file as /app/librechat.yaml and restart.",
    n8n: "If the node offers “Use Responses API”, both settings work.",
  } as { readonly [client: string]: string | undefined },
};
