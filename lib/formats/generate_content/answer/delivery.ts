import { Delivered, isJsonObject, type JsonObject } from "../../../canonical/mod.ts";
import { DeltaFinder, type DeltaPlace } from "../../answer/delta_text.ts";
import { argumentsText, isEmpty, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";

/** The most frequent chunk: one candidate with one part of text that is not reasoning. */
const usualPlace: DeltaPlace = {
  opening: /"parts"\s*:\s*\[\s*\{\s*"(text)"\s*:\s*"/,
  closings: { text: "}]" },
  another: '"parts"',
};

/** Counts the content that the chunks of a stream deliver to the caller. `parse` reads all other chunks. */
export class PartDelivery {
  readonly delivered = new Delivered();
  readonly #usual = new DeltaFinder(usualPlace);
  readonly #parse: (data: string) => JsonObject;

  constructor(parse: (data: string) => JsonObject) {
    this.#parse = parse;
  }

  sent(data: string): void {
    const usual = this.#usual.find(data);
    if (usual) return this.delivered.answer.add(usual.text);
    if (!data.includes('"parts"')) return;
    for (const candidate of objectsOf(this.#parse(data).candidates)) {
      for (const part of objectsOf(objectOf(candidate.content).parts)) this.#part(part);
    }
  }

  #part(part: JsonObject): void {
    const { answer, reasoning } = this.delivered;
    if (part.thought === true) return reasoning.add(textOf(part.text));
    if (typeof part.text === "string") return answer.add(part.text);
    if (isJsonObject(part.functionCall)) return this.#call(part.functionCall);
    answer.add(textOf(objectOf(part.executableCode).code));
    if (!isEmpty(restOf(part, ["thoughtSignature"]))) this.delivered.addMedium();
  }

  /** A whole call, or one value of its arguments. */
  #call({ name, args, partialArgs }: JsonObject): void {
    const { answer } = this.delivered;
    answer.add(textOf(name));
    answer.add(argumentsText(args));
    for (const { stringValue, numberValue, boolValue } of objectsOf(partialArgs)) {
      answer.add(String(stringValue ?? numberValue ?? boolValue ?? "null"));
    }
  }
}
