import type { JsonObject, JsonValue } from "../../../lib/canonical/mod.ts";
import type { Member, Shape, Shapes } from "./shape.ts";
import written from "./sdk_shapes.json" with { type: "json" };
import { zodNamed, zodRoots } from "./zod_shapes.ts";

const sdk = written as unknown as Shapes; // sound: the generator writes this type

/** The types of the SDKs, and the gateway's own schemas. */
export const shapes: Shapes = {
  versions: sdk.versions,
  roots: { ...sdk.roots, ...zodRoots },
  named: { ...sdk.named, ...zodNamed },
};

/** A deterministic source of choices. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to but not including `sides`. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.roll(list.length)];
  }
}

/** Maximum depth at which a value still has optional members. */
const depthMax = 9;

/** Generates values of a shape. Every text is another word, so that it can be found again. */
export class Sampler {
  readonly #dice: Dice;
  readonly #seen: Set<string>;
  #words = 0;

  /** `seen` collects the types and the members of unions that were generated. */
  constructor(seed: number, seen: Set<string>) {
    this.#dice = new Dice(seed);
    this.#seen = seen;
  }

  value(shape: Shape, member = "", depth = 0): JsonValue {
    if (shape === "string") return this.#text(member);
    if (shape === "number") return 1 + this.#dice.roll(9);
    if (schemaMembers.has(member) && (shape === "any" || "map" in shape)) return this.#schema();
    if (shape === "any") return { [`k${this.#words}`]: this.#word() };
    if ("is" in shape) return this.#dice.pick(shape.is);
    if ("ref" in shape) {
      this.#seen.add(shape.ref);
      return this.value(shapes.named[shape.ref], member, depth);
    }
    if ("list" in shape) return this.#list(shape.list, member, depth);
    if ("map" in shape) return { [this.#word()]: this.value(shape.map, "", depth + 1) };
    if ("oneOf" in shape) return this.value(this.#oneOf(shape.oneOf, member, depth), member, depth);
    return this.#object(shape.members, depth);
  }

  #oneOf(all: readonly Shape[], member: string, depth: number): Shape {
    const shapes = member === "error"
      ? all.filter((one) => typeof one === "object" && "is" in one)
      : all;
    const shallow = shapes.filter((shape) => typeof shape === "string" || "is" in shape);
    return this.#dice.pick(depth > depthMax && shallow.length > 0 ? shallow : shapes);
  }

  #list(item: Shape, member: string, depth: number): JsonValue {
    if (
      depth > depthMax && !("candidates choices content contents messages parts".includes(member))
    ) return [];
    const isOne = member === "candidates"; // two need different indices
    const length = isOne ? 1 : 1 + this.#dice.roll(depth < 3 ? 3 : 2);
    return Array.from({ length }, () => this.value(item, member, depth + 1));
  }

  #object(members: Readonly<Record<string, Member>>, depth: number): JsonObject {
    const chosen = this.#chosen(members, depth);
    const kept = Object.entries(members).filter(([name, { optional }]) =>
      !neverNamed.has(name) && (!optional || chosen.has(name))
    );
    return Object.fromEntries(
      kept.map(([name, { shape }]) => [name, this.value(shape, name, depth + 1)]),
    );
  }

  /** The optional members that a value has. A part of generate-content has exactly one kind of data. */
  #chosen(members: Readonly<Record<string, Member>>, depth: number): Set<string> {
    const optional = Object.keys(members).filter((name) => members[name].optional);
    const picked = depth > depthMax
      ? []
      : Array.from({ length: 1 + this.#dice.roll(4) }, () => this.#dice.pick(optional));
    if ("functionCall" in members && "inlineData" in members) {
      const data = depth > depthMax ? "text" : this.#dice.pick(partData);
      return new Set([data, ...picked.filter((name) => !partData.includes(name))]);
    }
    return new Set([...picked, ...optional.filter((name) => alwaysNamed.has(name))]);
  }

  /** A schema that every format accepts: notes on its keywords would hide other losses of a tool. */
  #schema(): JsonObject {
    return { type: "object", properties: { [this.#word()]: { type: "string" } } };
  }

  #word(): string {
    return `w${this.#words++}x`;
  }

  #text(member: string): string {
    const word = this.#word();
    if (pairing.has(member)) return `call_${this.#dice.roll(3)}`;
    return Object.hasOwn(texts, member) ? texts[member](word) : word;
  }
}

/** The kinds of data of a part, of which it has one. */
export const partData: readonly string[] = [
  "text inlineData fileData functionCall functionResponse executableCode codeExecutionResult",
  "toolCall toolResponse audioTranscription",
].join(" ").split(" ");

/** Members without which hardly any value says something. */
const alwaysNamed = new Set(
  [
    "choices content contents candidates parts input text finishReason parameters usageMetadata",
    "model mimeType data fileUri file_data file_url image_url category threshold name",
  ].join(" ").split(" "),
);

/** Members that the vendor's SDK adds or that the gateway answers by itself. */
const neverNamed = new Set(
  [
    "sdkHttpResponse automaticFunctionCallingHistory previous_response_id conversation background",
    "fallbacks parameters_json_schema betas output_text",
  ].join(" ").split(" "),
);

/** Members that hold a schema, wherever their type leaves it open. */
const schemaMembers = new Set([
  "parameters",
  "schema",
  "parametersJsonSchema",
  "responseJsonSchema",
]);

/** Ids by which a result finds its call. */
const pairing = new Set(["call_id", "tool_call_id", "tool_use_id"]);

const text = (value: string) => () => value;
const texts: Readonly<Record<string, (word: string) => string>> = {
  model: text("m"),
  role: text("user"),
  arguments: (word) => JSON.stringify({ q: word }),
  partial_json: (word) => JSON.stringify({ q: word }),
  data: (word) => btoa(word),
  file_data: (word) => `data:application/pdf;base64,${btoa(word)}`,
  image_url: (word) => `https://cats.example/${word}`,
  file_url: (word) => `https://cats.example/${word}`,
  url: (word) => `https://cats.example/${word}`,
  uri: (word) => `https://cats.example/${word}`,
  fileUri: (word) => `https://cats.example/${word}`,
  server_url: (word) => `https://cats.example/${word}`,
  mimeType: text("image/png"),
  id: (word) => word,
};
