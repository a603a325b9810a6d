/** The page of one model: its prices, the calculator and its endpoints, in English. */
export const prices = {
  title: "Prices",
  label: "Prices, scrolls sideways",
  inGroup: (group: string) => `in group ${group}`,
  perMillion: "Per million tokens",
  price: "Price",
  above: (tokens: string) => `Above ${tokens} tokens in`,
  perCall: "Each call",
  perThousand: (tool: string) => `1,000 calls of ${tool}`,
  calculator: "What would it cost?",
  fields: {
    input: "Tokens in, uncached",
    cached: "Tokens in, from cache",
    output: "Tokens out",
    calls: "Calls",
  },
  calculate: "Calculate",
  oneCall: "One call",
  allCalls: (calls: string) => `${calls} calls`,
  endpoints: "How it is called",
  copyCall: (format: string) => `Copy the call in ${format}`,
  unpriced: "No price is listed for this model.",
};
