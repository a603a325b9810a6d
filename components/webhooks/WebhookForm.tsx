import { faultIn } from "../../lib/admin/fault_text.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  eventTypeNames,
  type WebhookFaults,
  type WebhookValues,
} from "../../lib/console/webhooks/webhook_form.ts";
import { webhookFormats } from "../../lib/store/webhooks/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { bindFields, Fault, FormAlert, SelectField, TextField } from "../controls.tsx";

interface WebhookFormProps {
  readonly view: AccountView;
  readonly values: WebhookValues;
  readonly faults: WebhookFaults;
  /** True if no further endpoint can be added. */
  readonly isFull?: boolean;
  /** Absent for a new endpoint. */
  readonly id?: string;
}

/** The form of an endpoint's settings. */
export function WebhookForm(props: WebhookFormProps) {
  const { view: { catalog: { webhooks: texts, faults: { webhook: faultTexts } } } } = props;
  const { values: { url, format, description }, faults, isFull, id } = props;
  const field = bindFields({ values: { url, format, description }, faults, texts, faultTexts });
  return (
    <Form
      class="body fields"
      action={`/console/admin/webhooks/${id ?? "new"}`}
      noValidate
    >
      {isFull && <FormAlert>{faultTexts.full}</FormAlert>}
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <TextField {...field("url")} type="url" required spellcheck={false} />
      <SelectField
        {...field("format")}
        options={webhookFormats.map((one) => [one, texts.formats[one]] as const)}
      />
      <TextField {...field("description")} optional={texts.optional} />
      <Types {...props} />
      <div class="actions start">
        <button class="button primary" type="submit">{id ? texts.save : texts.add}</button>
        <A class="button" href="/console/admin/webhooks">{texts.cancel}</A>
      </div>
    </Form>
  );
}

function Types({ view: { catalog }, values, faults }: WebhookFormProps) {
  const { webhooks: texts } = catalog;
  const fault = faultIn(faults, "types", catalog.faults.webhook);
  const box = (type: string, label: string) => (
    <label key={type} title={type === "*" ? undefined : type}>
      <input type="checkbox" name="types" value={type} checked={values.types.includes(type)} />
      {label}
    </label>
  );
  return (
    <fieldset class="field">
      <legend class="legend">{texts.eventTypes}</legend>
      <p class="hint">{texts.allHint}</p>
      <div class="choices">
        {box("*", texts.all)}
        {eventTypeNames.map((type) => box(type, texts.types[type]))}
      </div>
      {fault && <Fault id="types">{fault}</Fault>}
    </fieldset>
  );
}
