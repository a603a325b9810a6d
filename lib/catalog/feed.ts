import type { ModelPrice } from "../store/catalog/mod.ts";
import { type FeedEntry, feedPrice, isEntry } from "./feed_price.ts";

/** One model in LiteLLM's file of prices. */
export interface FeedModel {
  /** The vendor's name in `owned_by`, or the name of the host whose price it is. */
  readonly ownedBy: string;
  readonly price: ModelPrice;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** The day on which the vendor shuts the model down, such as `2027-01-14`. */
  readonly retires?: string;
  /** The model that the vendor recommends instead. */
  readonly successor?: string;
  /** The page that states the price. */
  readonly page?: string;
}

/** Far more models than any vendor or host has. */
const modelsMax = 50_000;

/**
 * Reads the file by the names of its models here, without the entries that no call here is charged
 * by. Throws a `RangeError` for anything that is not such a file.
 */
export function readFeed(file: unknown): ReadonlyMap<string, FeedModel> {
  const entries = isEntry(file) ? Object.entries(file) : [];
  if (entries.length > modelsMax) throw new RangeError(`it has more than ${modelsMax} models`);
  const models = entries.flatMap(([key, entry]): [string, FeedModel][] => {
    const model = isEntry(entry) ? feedModel(key, entry) : undefined;
    return model ? [model] : [];
  });
  if (models.length === 0) throw new RangeError("it has no model with a price");
  return new Map(models);
}

/** Vendors by their name in the feed, with their name in `owned_by`. */
const vendors: Readonly<Partial<Record<string, string>>> = {
  openai: "openai",
  anthropic: "anthropic",
  gemini: "google",
  xai: "xai",
  deepseek: "deepseek",
  mistral: "mistralai",
  dashscope: "qwen",
  moonshot: "moonshotai",
  zai: "zai",
  minimax: "minimax",
  cohere: "cohere",
  cohere_chat: "cohere",
  voyage: "voyage",
  jina_ai: "jina",
  meta: "meta",
};

/** Hosts of other vendors' models, likewise. Their prices apply only to names that state the host. */
const hosts: Readonly<Partial<Record<string, string>>> = {
  bedrock: "bedrock",
  bedrock_converse: "bedrock",
  fireworks_ai: "fireworks",
  groq: "groq",
  cerebras: "cerebras",
  together_ai: "together",
  deepinfra: "deepinfra",
};

function feedModel(key: string, entry: FeedEntry): [string, FeedModel] | undefined {
  const provider = textIn(entry, "litellm_provider") ?? "";
  const [vendor, host] = [vendors, hosts].map((names) => ownerIn(names, provider));
  const ownedBy = vendor ?? host;
  const own = key.replace(`${provider}/`, "");
  const name = vendor !== undefined || hostForm.test(own) ? own : key;
  const isOdd = name.startsWith("ft:") || (vendor !== undefined && name.includes("/"));
  const price = ownedBy === undefined || isOdd ? undefined : feedPrice(entry);
  return ownedBy !== undefined && price ? [name, { ownedBy, price, ...factsOf(entry) }] : undefined;
}

/** Names that state their host without a prefix: Bedrock's and Fireworks'. */
const hostForm = /^(accounts\/|[a-z-]+\.)/;

function ownerIn(names: Readonly<Partial<Record<string, string>>>, provider: string) {
  return Object.hasOwn(names, provider) ? names[provider] : undefined;
}

function factsOf(entry: FeedEntry): Omit<FeedModel, "ownedBy" | "price"> {
  const contextWindow = countIn(entry, "max_input_tokens");
  const maxOutputTokens = countIn(entry, "max_output_tokens");
  const retires = textIn(entry, "deprecation_date");
  const successor = textIn(entry, "successor_model");
  const page = textIn(entry, "source");
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(retires !== undefined && /^20\d{2}-\d{2}-\d{2}$/.test(retires) && { retires }),
    ...(successor !== undefined && { successor: successor.replace(/^[a-z_]+\//, "") }),
    ...(page !== undefined && isPage(page) && { page }),
  };
}

/** Accepts only web addresses, because the console links to them. */
function isPage(text: string): boolean {
  return text.startsWith("https://") && URL.canParse(text);
}

const textMax = 300;

function countIn(entry: FeedEntry, field: string): number | undefined {
  const value = entry[field];
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

function textIn(entry: FeedEntry, field: string): string | undefined {
  const value = entry[field];
  return typeof value === "string" && value.length <= textMax ? value : undefined;
}
