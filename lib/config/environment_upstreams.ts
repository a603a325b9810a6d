import type { z } from "zod";
import type { Environment } from "./environment.ts";
import { ConfigError } from "./error.ts";
import { type UpstreamOfFile, upstreamSchema } from "./upstream.ts";

type UpstreamInput = z.input<typeof upstreamSchema>;

/** Upstreams that one variable declares: the preset, and the field that takes the value. */
const upstreamOf = {
  OPENAI_API_KEY: (value) => ({ id: "openai", preset: "openai", apiKeys: [value] }),
  ANTHROPIC_API_KEY: (value) => ({ id: "anthropic", preset: "anthropic", apiKeys: [value] }),
  GEMINI_API_KEY: (value) => ({ id: "gemini", preset: "google", apiKeys: [value] }),
  OLLAMA_HOST: (value) => ({ id: "ollama", preset: "ollama", baseUrl: value }),
} as const satisfies Partial<Record<keyof Environment, (value: string) => UpstreamInput>>;

/**
 * Returns the upstreams that the environment adds to the file. An upstream of the file with the
 * same id takes precedence.
 */
export function environmentUpstreams(
  environment: Environment,
  idsInFile: ReadonlySet<string>,
): UpstreamOfFile[] {
  const names = Object.keys(upstreamOf) as (keyof typeof upstreamOf)[]; // the table's own keys
  return names.flatMap((name) => {
    const value = environment[name];
    const upstream = value === undefined ? undefined : upstreamOf[name](value);
    if (upstream === undefined || idsInFile.has(upstream.id)) return [];
    const parsed = upstreamSchema.safeParse(upstream);
    if (parsed.success) return [parsed.data];
    throw new ConfigError(parsed.error.issues.map(({ message }) => `${name} ${message}`));
  });
}
