import { GoogleGenerativeAI } from "@google/generative-ai";

/** Asks one model in every way that the vendor's former SDK has, and prints what came as JSON. */
async function ask(base: string, key: string, name: string, apiVersion: string): Promise<void> {
  const model = new GoogleGenerativeAI(key)
    .getGenerativeModel({ model: name }, { baseUrl: base, apiVersion });
  const prompt = "hello slash";
  const whole = await model.generateContent(prompt);
  const { stream, response } = await model.generateContentStream(prompt);
  const pieces = await Array.fromAsync(stream, (chunk) => chunk.text());
  const { totalTokens } = await model.countTokens(prompt);
  const said = {
    whole: whole.response.text(),
    streamed: pieces.join(""),
    gathered: (await response).text(),
    totalTokens,
  };
  console.log(JSON.stringify(said));
}

const [base, key, name, apiVersion] = Deno.args;
if (apiVersion !== undefined) await ask(base, key, name, apiVersion);
