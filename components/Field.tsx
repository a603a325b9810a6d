import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

export interface FieldProps {
  readonly id: string;
  readonly label: string;
  /** Said beside the label where the field may stay empty. */
  readonly optional?: string;
  readonly hint?: string;
  readonly fault?: string;
  readonly children: ComponentChildren;
}

/** A label, its control, a hint and what is wrong. The control takes `describedBy(props)`. */
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

/** The attributes by which a control points at its hint and its fault. */
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

/**
 * What is wrong with a form as a whole. It takes the focus: on a page that comes back with it by
 * its attribute, in a dialog when it appears.
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
