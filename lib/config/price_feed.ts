import { z } from "zod";
import { flagField, must, strict } from "./fields.ts";

/** The list of prices that the gateway compares its own with. */
export interface PriceFeedSettings {
  readonly url: string;
  readonly daily: boolean;
}

const urlText = "an address, such as that of LiteLLM's model_prices_and_context_window.json";
const usualUrl =
  "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json";

/** The part `priceFeed` of the configuration file. */
export const priceFeedSchema = strict({
  url: z.string(must(urlText)).trim().refine(isFeedUrl, must(urlText)).default(usualUrl)
    .describe("Address of a list of prices in LiteLLM's form"),
  daily: flagField.default(false)
    .describe("Fetch the list once a day; differences are proposals and change no price"),
});

function isFeedUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.hash === "";
}
