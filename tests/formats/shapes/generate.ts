import ts from "typescript";
import type { Shape, Shapes } from "./shape.ts";

/**
 * Writes `sdk_shapes.json`: the types of requests, answers and events in the pinned SDKs, without
 * what only TypeScript needs. Run it when an SDK's version changes:
 * `deno run -A --config tests/deno.json tests/formats/shapes/generate.ts`.
 */

const modules = new URL("../../node_modules/", import.meta.url);

/** The types by the names that the fixture gives them. */
const source = `
import type { ChatCompletionCreateParamsBase, ChatCompletion, ChatCompletionChunk }
  from "openai/resources/chat/completions/completions";
import type { ResponseCreateParamsBase, Response, ResponseStreamEvent }
  from "openai/resources/responses/responses";
import type { MessageCreateParamsBase, BetaMessage, BetaRawMessageStreamEvent }
  from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type * as g from "@google/genai";
interface GenerateContentRequest {
  contents: g.Content[];
  systemInstruction?: g.Content;
  tools?: g.Tool[];
  toolConfig?: g.ToolConfig;
  safetySettings?: g.SafetySetting[];
  generationConfig?: g.GenerationConfig;
  cachedContent?: string;
  labels?: Record<string, string>;
  serviceTier?: g.ServiceTier;
}
export interface Roots {
  "chat-completions request": ChatCompletionCreateParamsBase;
  "chat-completions answer": ChatCompletion;
  "chat-completions event": ChatCompletionChunk;
  "responses request": ResponseCreateParamsBase;
  "responses answer": Response;
  "responses event": ResponseStreamEvent;
  "messages request": MessageCreateParamsBase;
  "messages answer": BetaMessage;
  "messages event": BetaRawMessageStreamEvent;
  "generate-content request": GenerateContentRequest;
  "generate-content answer": g.GenerateContentResponse;
}
`;

const file = new URL("roots.ts", modules).pathname;
const options: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
};
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.getSourceFile = (name, ...rest) =>
  name === file
    ? ts.createSourceFile(name, source, ts.ScriptTarget.ESNext)
    : getSourceFile.call(host, name, ...rest);
host.fileExists = (name) => name === file || fileExists.call(host, name);
host.readFile = (name) => name === file ? source : readFile.call(host, name);
const program = ts.createProgram([file], options, host);
const checker = program.getTypeChecker();

const named: Record<string, Shape> = {};
const nameOf = new Map<ts.Type, string>();

function shapeOf(type: ts.Type): Shape {
  if (type.isUnion()) return unionOf(type);
  if (type.isStringLiteral() || type.isNumberLiteral()) return { is: [type.value] };
  const { flags } = type;
  if (flags & ts.TypeFlags.BooleanLiteral) return { is: [checker.typeToString(type) === "true"] };
  if (flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return "string";
  if (flags & ts.TypeFlags.Number) return "number";
  if (flags & ts.TypeFlags.Null) return { is: [null] };
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) return "any";
  if (type.isIntersection() && type.types.some((one) => one.flags & ts.TypeFlags.String)) {
    return "string";
  }
  if (checker.isArrayType(type)) {
    return { list: shapeOf(checker.getTypeArguments(type as ts.TypeReference)[0]) };
  }
  return objectOf(type);
}

function unionOf(type: ts.UnionType): Shape {
  const shapes = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)).map(shapeOf);
  const literals = shapes.flatMap((shape) =>
    typeof shape === "object" && "is" in shape ? shape.is : []
  );
  const others = shapes.filter((shape) => typeof shape !== "object" || !("is" in shape));
  const all = [...(literals.length > 0 ? [{ is: literals }] : []), ...others];
  return all.length === 1 ? all[0] : { oneOf: all };
}

function objectOf(type: ts.Type): Shape {
  const index = checker.getIndexInfosOfType(type)[0];
  const properties = checker.getPropertiesOfType(type);
  if (properties.length === 0) return index ? { map: shapeOf(index.type) } : "any";
  const known = nameOf.get(type);
  if (known !== undefined) return { ref: known };
  const name = freeName(type.aliasSymbol?.name ?? type.symbol.name);
  nameOf.set(type, name);
  named[name] = "any"; // a recursive type refers to itself
  named[name] = { members: Object.fromEntries(properties.flatMap(memberOf)) };
  return { ref: name };
}

function freeName(name: string): string {
  let free = name;
  for (let at = 2; Object.hasOwn(named, free); at++) free = `${name}${at}`;
  return free;
}

function memberOf(property: ts.Symbol): [string, { shape: Shape; optional?: true }][] {
  if (property.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) return [];
  const type = checker.getTypeOfSymbol(property);
  if (type.getCallSignatures().length > 0) return [];
  const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
  return [[property.name, { shape: shapeOf(type), ...(optional && { optional }) }]];
}

const roots: Record<string, Shape> = {};
program.getSourceFile(file)?.forEachChild((node) => {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== "Roots") return;
  for (const root of checker.getPropertiesOfType(checker.getTypeAtLocation(node))) {
    roots[root.name] = shapeOf(checker.getTypeOfSymbol(root));
  }
});

const versions = Object.fromEntries(
  ["openai", "@anthropic-ai/sdk", "@google/genai"].map((name) => {
    const text = Deno.readTextFileSync(new URL(`${name}/package.json`, modules));
    return [name, JSON.parse(text).version];
  }),
);
const shapes: Shapes = { versions, roots, named };
Deno.writeTextFileSync(new URL("sdk_shapes.json", import.meta.url), `${JSON.stringify(shapes)}\n`);
console.log(Object.keys(named).length, "types");
