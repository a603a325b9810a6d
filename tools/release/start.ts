import { startArguments, StartRefusal } from "../start_arguments.ts";

/**
 * Prints the arguments of Deno that start the package in the folder of the first argument, as JSON.
 * The launcher runs it before each start.
 */
const [folder, ...options] = Deno.args;
const isParallel = options.includes("--parallel");
const code = {
  ...{ folder, main: `${folder}/app/main.js`, serve: `${folder}/app/serve.js`, written: [] },
};
try {
  const { flags, module } = await startArguments(Deno.env.toObject(), { isParallel, code });
  console.log(JSON.stringify([...flags, ...module]));
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error;
  console.error(error.message);
  Deno.exit(1);
}
