/** The fault of each field of a form; one with a detail has it as the second item. */
export type FormFaults<Field extends string, Code> = Readonly<
  Partial<Record<Field, Code | readonly [code: Code, detail: string]>>
>;

/** The sentences of faults, by code. */
export type FaultTexts = Readonly<Record<string, string | ((detail: string) => string)>>;

/** The sentence of a fault in the language of the texts. */
export function faultText(
  fault: string | readonly [code: string, detail: string],
  texts: FaultTexts,
): string {
  const [code, detail] = typeof fault === "string" ? [fault, ""] : fault;
  const text = texts[code];
  return typeof text === "string" ? text : text(detail);
}

/** The sentence of a field's fault, if it has one. */
export function faultIn<Field extends string>(
  faults: FormFaults<Field, string>,
  field: Field,
  texts: FaultTexts,
): string | undefined {
  const fault = faults[field];
  return fault && faultText(fault, texts);
}

/** The sentences of all faults of a form. */
export function faultSentences<Field extends string>(
  faults: FormFaults<Field, string>,
  texts: FaultTexts,
): Readonly<Partial<Record<Field, string>>> {
  const fields = Object.keys(faults) as Field[]; // its own keys
  const sentences = fields.map((field) => [field, faultIn(faults, field, texts)]);
  return Object.fromEntries(sentences) as Partial<Record<Field, string>>; // of the same keys
}
