/** The page of one model: prices, cost calculator and code examples. */
export const prices = {
  title: "Prices",
  label: "Prices",
  perMillion: "Per million tokens",
  price: "Price",
  above: (tokens: string) => `Above ${tokens} input tokens`,
  perCall: "Per call",
  perThousand: (tool: string) => `1,000 ${tool} calls`,
  fields: {
    input: "Input tokens, uncached",
    cached: "Input tokens, cached",
    output: "Output tokens",
    calls: "Calls",
  },
  calculate: "Calculate",
  oneCall: "Per call",
  allCalls: (calls: string) => `${calls} calls`,
  endpoints: "Code examples",
};
