export const formats = ["chat-completions", "messages", "responses", "generate-content"] as const;

/** A wire format, by the name that configuration files use. */
export type Format = typeof formats[number];
