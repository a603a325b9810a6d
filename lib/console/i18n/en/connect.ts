/** How a client is set up, in English. */
export const connect = {
  title: "Connect a client",
  clients: "Clients",
  all: "All clients",
  guide: "Settings and traps of every client",
  key: "Key",
  system: "System",
  unix: "macOS, Linux",
  windows: "Windows",
  use: "Use these",
  paste: "Put this into a terminal or a program.",
  toFile: (file: string) => `Put this into ${file}. If it is there already, add these lines to it.`,
  byHand: "Enter this in the settings.",
  placeholder: (key: string) => `Replace YOUR_KEY with the secret of ${key}.`,
  noKey: "Replace YOUR_KEY with the secret of one of your keys.",
  filledIn:
    "Your key is already filled in, and hidden until you show it above. Copied text includes it.",
  setting: (client: string) => `Settings for ${client}`,
  copy: (client: string) => `Copy the settings for ${client}`,
  ccSwitch: "Open in CC Switch",
  ccSwitchText: "It takes over address and model; the key is entered there.",
  copyUrl: "Copy the base URL",
  twice:
    "If the log shows /v1/v1 or a route twice, the base URL has too much in it: the client adds the route itself.",
  chatAndResponses: "Chat completions, Responses",
  messages: "Messages",
  generateContent: "Generate content: Gemini CLI and SDKs",
  generateContentRest: "Generate content: REST",
  notes: {
    "claude-code":
      "Leave ANTHROPIC_API_KEY unset: two keys contradict each other. The base URL has no /v1, Claude Code adds it.",
    codex:
      "Codex needs the Responses format: do not set wire_api to anything else. The key goes into the variable, not into the file.",
    "gemini-cli":
      "Choose the API key where Gemini CLI asks how to sign in. The base URL has no /v1beta, it adds it.",
    cursor: "Cursor calls from its own servers: the gateway must be reachable from the internet.",
    zed: "Set max_tokens to the model's context window.",
    "open-webui": "The model is chosen in Open WebUI, from the list that it reads here.",
    librechat: "With Docker, mount the file as /app/librechat.yaml and restart.",
    n8n: "Where the node offers “Use Responses API”, both settings work.",
  } as { readonly [client: string]: string | undefined },
};
