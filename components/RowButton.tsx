import { Form } from "./Form.tsx";

interface RowButtonProps {
  /** The address that takes the form. */
  readonly action: string;
  /** The field that names the row, and its value. */
  readonly name: string;
  readonly value: string;
  /** The button's text. */
  readonly text: string;
  /** The same with the row's name, for screen readers. */
  readonly label: string;
}

/** A small button that posts one row of a list. */
export function RowButton({ action, name, value, text, label }: RowButtonProps) {
  return (
    <Form action={action}>
      <button class="button small" type="submit" name={name} value={value} aria-label={label}>
        {text}
      </button>
    </Form>
  );
}
