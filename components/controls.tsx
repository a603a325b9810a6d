import { type ComponentChildren, type ComponentProps, h } from "preact";
import { faultIn, type FaultTexts, type FormFaults } from "../lib/admin/fault_text.ts";
import { Icon } from "./Icon.tsx";

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

/** A form: its values and their faults, with the words for both. */
interface FormFields<Values extends object> {
  readonly values: Values;
  readonly faults: FormFaults<keyof Values & string, string>;
  /** The label of each field by its name, and its hint as `nameHint`. */
  readonly texts: Readonly<Record<keyof Values & string, string>>;
  readonly faultTexts: FaultTexts;
}

/** Returns a function that gives a field of the form its name, value, label, hint and error. */
export function bindFields<Values extends object>(
  { values, faults, texts, faultTexts }: FormFields<Values>,
) {
  const words = texts as Readonly<Record<string, string | undefined>>; // may have hints too
  return <Name extends keyof Values & string>(name: Name) => ({
    name,
    value: values[name],
    label: texts[name],
    hint: words[`${name}Hint`],
    fault: faultIn(faults, name, faultTexts),
  });
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label of an optional field. */
  readonly optional?: string;
  readonly hint?: string;
  readonly fault?: string;
  readonly children: ComponentChildren;
}

/** A label with its control, a hint and an error. The control takes `described(props)`. */
export function Field({ id, label, optional, hint, fault, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional">{` (${optional})`}</span>}
      </label>
      {children}
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {fault && <Fault id={id}>{fault}</Fault>}
    </div>
  );
}

export function Fault({ id, children }: { id: string; children: string }) {
  return (
    <p class="fault" id={`${id}-fault`}>
      <Icon name="circle-alert" small />
      {children}
    </p>
  );
}

/** The attributes that link a control to its hint and its error. */
export function described(
  { id, hint, fault }: { id: string; hint?: unknown; fault?: unknown },
): { id: string; "aria-describedby"?: string; "aria-invalid"?: "true" } {
  const names = [hint && `${id}-hint`, fault && `${id}-fault`].filter((name) => name);
  return {
    id,
    ...(names.length > 0 && { "aria-describedby": names.join(" ") }),
    ...(fault ? { "aria-invalid": "true" } : {}),
  };
}

type ChoiceOptions = readonly (readonly [value: string, text: string])[];

/** One select of a filter form. */
export function Choice(
  { name, label, any, value, options }: {
    name: string;
    label: string;
    /** The label of the option for all; absent if a choice is required. */
    any?: string;
    value: string | undefined;
    options: ChoiceOptions;
  },
) {
  return (
    <select class="input" name={name} aria-label={label}>
      {any !== undefined && <option value="">{any}</option>}
      {optionsOf(options, value)}
    </select>
  );
}

/** The options of a select. */
function optionsOf(options: ChoiceOptions, value: string | undefined) {
  return options.map(([one, text]) => (
    <option key={one} value={one} selected={one === value}>{text}</option>
  ));
}

/** The search field of a list. */
export function SearchField({ label, value, name = "q" }: {
  label: string;
  value: string | undefined;
  name?: string;
}) {
  return (
    <input
      class="input"
      type="search"
      name={name}
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      value={value}
    />
  );
}

/**
 * The error of a form as a whole. It takes the focus: on a new page through `autofocus`, in a
 * dialog through its ref.
 */
export function FormAlert({ children }: { children: string }) {
  return (
    <div
      class="alert"
      role="alert"
      tabIndex={-1}
      autofocus
      ref={(element) => element?.focus()}
    >
      <Icon name="circle-alert" />
      <p>{children}</p>
    </div>
  );
}
