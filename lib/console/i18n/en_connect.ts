/** How a client is set up, in English. */
export const connect = {
  title: "Connect a client",
  clients: "Clients",
  use: "Use this model",
  paste: "Put this into a terminal or a program.",
  toFile: (file: string) => `Put this into ${file}.`,
  byHand: "Enter this in the settings.",
  key: "YOUR_KEY stands for one of your API keys.",
  setting: (client: string) => `Settings for ${client}`,
  copy: (client: string) => `Copy the settings for ${client}`,
  twice:
    "If the log shows /v1/v1 or a route twice, the base URL has too much in it: the client adds the route itself.",
};
