import { breachesIn } from "../english.ts";

/** Reads the comments, the texts and, in tests, the names of a file by the rules for plain English. */
const plugin: Deno.lint.Plugin = {
  name: "english",
  rules: {
    plain: {
      create(context) {
        const { sourceCode, filename } = context;
        const report = ([start, end]: Deno.lint.Range, prose: string) => {
          for (const { index, sentence, rule } of breachesIn(prose)) {
            const range: Deno.lint.Range = [start + index, Math.min(end, start + index + 1)];
            context.report({ range, message: `${rule}: ${sentence}` });
          }
        };
        const inTests = /\/(?:tests|bench)\//.test(filename);
        const readText = (node: Deno.lint.Node) => {
          const prose = proseOf(sourceCode.getText(node));
          if (/\S\s+\S+\s+\S/.test(prose)) report(node.range, prose);
        };
        const readInCode = (node: Deno.lint.Node) => {
          if (!inTests || namesTest(node)) readText(node);
        };
        return {
          Program() {
            for (const range of blocksOf(sourceCode)) {
              report(range, withoutMarks(sourceCode.text.slice(...range)));
            }
          },
          Literal: (node) => typeof node.value === "string" && readInCode(node),
          TemplateLiteral: readInCode,
          JSXText: readText,
        };
      },
    },
  },
};

export default plugin;

/** The ranges of comments; line comments that follow each other are one text. */
function blocksOf(sourceCode: Deno.lint.SourceCode): Deno.lint.Range[] {
  const blocks: { type: string; range: Deno.lint.Range }[] = [];
  for (const { type, range } of sourceCode.getAllComments()) {
    const last = blocks.at(-1);
    const joined = last?.type === "Line" && type === "Line" &&
      /^\n[ \t]*$/.test(sourceCode.text.slice(last.range[1], range[0]));
    if (last && joined) last.range = [last.range[0], range[1]];
    else blocks.push({ type, range: [...range] });
  }
  return blocks.map(({ range }) => range);
}

/** Comment marks become spaces, so that indexes stay those of the source. */
function withoutMarks(comment: string): string {
  return comment.replace(
    /^\s*(?:\/\/+|\/\*\*?|\*\/|\*)|\*\/$/gm,
    (mark) => mark.replace(/\S/g, " "),
  );
}

/** A literal without its quotes and with its expressions blanked. */
function proseOf(literal: string): string {
  return literal.replace(/^["'`]|["'`]$/g, " ").replace(
    /\$\{[^}]*\}/g,
    (e) => "x".repeat(e.length),
  );
}

/** The first argument of `Deno.test` or `step`, or a `name` in a table of cases. */
function namesTest(node: Deno.lint.Node): boolean {
  const { parent } = node as Deno.lint.Literal;
  if (parent?.type === "Property") {
    return parent.key.type === "Identifier" && parent.key.name === "name" && parent.value === node;
  }
  if (parent?.type !== "CallExpression" || parent.arguments[0] !== node) return false;
  const { callee } = parent;
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" &&
    ["test", "step"].includes(callee.property.name);
}
