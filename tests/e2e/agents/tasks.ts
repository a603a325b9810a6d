import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Hands } from "./agent.ts";
import type { Finished } from "./run_agent.ts";
import type { Script } from "./scripted_model.ts";

/** Something that an agent is asked to do, what its model decides, and how one sees that it was done. */
export interface Task {
  /** Its letter in the matrix. */
  readonly letter: string;
  readonly name: string;
  readonly prompt: string;
  readonly script: (hands: Hands, folder: string) => Script;
  readonly prepare: (folder: string) => Promise<void>;
  readonly check: (finished: Finished, folder: string) => Promise<void>;
}

const hardText = 'Grüße "世界" \\n 🎈\n\tat <the> & $HOME `end`\n';
const secrets = { a: "secret-apple-12", b: "secret-birch-34" } as const;

export const tasks: readonly Task[] = [
  {
    letter: "a",
    name: "a question",
    prompt: "What is six times seven?",
    prepare: () => Promise.resolve(),
    script: () => ({ steps: [], answer: () => "It is forty-two, café ☕." }),
    check: ({ stdout }) => {
      assertStringIncludes(stdout, "It is forty-two, café ☕.");
      return Promise.resolve();
    },
  },
  {
    letter: "b",
    name: "a file written",
    prompt: "Write the greeting into greeting.txt",
    prepare: () => Promise.resolve(),
    script: (hands, folder) => ({
      steps: [() => [hands.write(`${folder}/greeting.txt`, hardText)]],
      answer: () => "It is written.",
    }),
    check: async ({ stdout }, folder) => {
      assertStringIncludes(stdout, "It is written.");
      assertEquals(await Deno.readTextFile(`${folder}/greeting.txt`), hardText);
    },
  },
  {
    letter: "c",
    name: "several turns, calls at once",
    prompt: "Read a.txt and b.txt, write both into sum.txt and show it",
    prepare: async (folder) => {
      await Deno.writeTextFile(`${folder}/a.txt`, `${secrets.a}\n`);
      await Deno.writeTextFile(`${folder}/b.txt`, `${secrets.b}\n`);
    },
    script: (hands, folder) => ({
      steps: [
        () => [hands.read(`${folder}/a.txt`), hands.read(`${folder}/b.txt`)],
        // agents run calls in parallel and return results in any order
        (told) => [hands.write(`${folder}/sum.txt`, `${told.slice(0, 2).sort().join(" ")}\n`)],
        () => [hands.run(`cat ${folder}/sum.txt`), hands.run(`wc -c < ${folder}/sum.txt`)],
      ],
      answer: (told) => `The sum is ${told.slice(-2).join(" and ")}.`,
    }),
    check: async ({ stdout }, folder) => {
      assertEquals(await Deno.readTextFile(`${folder}/sum.txt`), `${secrets.a} ${secrets.b}\n`);
      assertStringIncludes(stdout, `The sum is ${secrets.a} and ${secrets.b}.`);
    },
  },
];
