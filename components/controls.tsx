import { type ComponentProps, h } from "preact";
import { faultIn, type FaultTexts, type FormFaults } from "../lib/admin/fault_text.ts";
import { type ChoiceOptions, optionsOf } from "./Choice.tsx";
import { described, Field, type FieldProps } from "./Field.tsx";

/** A control with its label. Further attributes go to the control. */
type Labelled<Control extends "input" | "textarea" | "select"> =
  & Omit<FieldProps, "id" | "children">
  & Omit<ComponentProps<Control>, "label">
  & { readonly name: string; readonly id?: string };

/** A field of one line. */
export function TextField(props: Labelled<"input">) {
  return labelled<"input">("input", { autocomplete: "off", ...props });
}

/** A field of several lines. */
export function TextArea(props: Labelled<"textarea">) {
  return labelled<"textarea">("textarea", props);
}

/** A choice of one of several values. */
export function SelectField(
  { value, options, ...props }:
    & Omit<Labelled<"select">, "value">
    & { readonly value?: string; readonly options: ChoiceOptions },
) {
  return labelled<"select">("select", { ...props, children: optionsOf(options, value) });
}

function labelled<Control extends "input" | "textarea" | "select">(
  control: string,
  { label, optional, hint, fault, ...rest }: Labelled<Control>,
) {
  const about = { id: rest.id ?? rest.name, hint, fault };
  return (
    <Field {...about} label={label} optional={optional}>
      {h(control, { class: "input", ...rest, ...described(about) })}
    </Field>
  );
}

/** Returns a function that gives a field of the form its name, value and error in the texts' words. */
export function bindFields<Values extends object>(
  values: Values,
  faults: FormFaults<keyof Values & string, string>,
  texts: FaultTexts,
) {
  return <Name extends keyof Values & string>(name: Name) => ({
    name,
    value: values[name],
    fault: faultIn(faults, name, texts),
  });
}
