import {
  type FieldFaults,
  fieldMax,
  type FieldName,
  type Fields,
  fill,
  offeredEfforts,
} from "../../lib/playground/mod.ts";
import { described, Field } from "../Field.tsx";
import { Panel } from "../Panel.tsx";
import type { PlaygroundTexts } from "./texts.ts";

interface SettingsPanelProps {
  readonly fields: Fields;
  readonly faults: FieldFaults;
  readonly texts: PlaygroundTexts;
  /** Set if one of the formats has no stop sequences. */
  readonly noStop: boolean;
  readonly onChange: (fields: Fields) => void;
}

/** System prompt, parameters and tools of the requests. */
export function SettingsPanel(props: SettingsPanelProps) {
  const { fields, texts, noStop, onChange } = props;
  return (
    <Panel id="settings" title={texts.settings}>
      <div class="body fields">
        <Area {...props} name="system" label={texts.system} plain />
        <div class="pair narrow">
          <Line {...props} name="temperature" label={texts.temperature} />
          <Line {...props} name="top_p" label={texts.topP} />
        </div>
        <Line {...props} name="max_tokens" label={texts.maxTokens} />
        <Effort {...props} />
        <label class="tick">
          <input
            type="checkbox"
            form="playground"
            name="stream"
            value="1"
            checked={fields.stream}
            onChange={({ currentTarget }) => onChange({ ...fields, stream: currentTarget.checked })}
          />
          {texts.stream}
        </label>
        <Area {...props} name="tools" label={texts.tools} hint={texts.toolsHint}>
          {fields.tools === "" && (
            <button
              class="link-button with-script"
              type="button"
              onClick={() => onChange({ ...fields, tools: exampleTools })}
            >
              {texts.toolsExample}
            </button>
          )}
        </Area>
        <Area {...props} name="schema" label={texts.schema} hint={texts.schemaHint} />
        <Area
          {...props}
          name="stop"
          label={texts.stopTexts}
          hint={noStop ? texts.noStop : texts.stopHint}
        />
      </div>
    </Panel>
  );
}

const exampleTools = JSON.stringify(
  [{
    name: "weather",
    description: "The weather of a city",
    parameters: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    },
  }],
  null,
  2,
);

interface OneField extends SettingsPanelProps {
  readonly name: FieldName;
  readonly label: string;
  readonly hint?: string;
  /** For prose instead of code. */
  readonly plain?: boolean;
  readonly children?: preact.ComponentChildren;
}

function attributesOf({ name, hint, faults, texts, fields, onChange }: OneField) {
  const fault = faults[name];
  const max = name === "temperature" || name === "top_p" ? fieldMax[name] : "";
  return {
    fault: fault && fill(texts.faults[fault], { max }),
    control: {
      ...described({ id: `field-${name}`, hint, fault }),
      form: "playground",
      name,
      value: fields[name],
      onInput: (
        { currentTarget }: preact.TargetedEvent<HTMLInputElement | HTMLTextAreaElement>,
      ) => onChange({ ...fields, [name]: currentTarget.value }),
    },
  };
}

function Line(props: OneField) {
  const { fault, control } = attributesOf(props);
  return (
    <Field id={control.id} label={props.label} fault={fault}>
      <input class="input" type="text" inputMode="decimal" autocomplete="off" {...control} />
    </Field>
  );
}

function Area(props: OneField) {
  const { fault, control } = attributesOf(props);
  return (
    <Field id={control.id} label={props.label} hint={props.hint} fault={fault}>
      <textarea
        class={props.plain ? "input spoken" : "input"}
        rows={2}
        spellcheck={props.plain ?? false}
        {...control}
      />
      {props.children}
    </Field>
  );
}

function Effort({ fields, texts, onChange }: SettingsPanelProps) {
  return (
    <Field id="field-effort" label={texts.effort}>
      <select
        class="input"
        id="field-effort"
        form="playground"
        name="effort"
        onChange={({ currentTarget }) => onChange({ ...fields, effort: currentTarget.value })}
      >
        {["", ...offeredEfforts].map((effort) => (
          <option key={effort} value={effort} selected={effort === fields.effort}>
            {effort === "" ? texts.modelDecides : texts[effort as typeof offeredEfforts[number]]}
          </option>
        ))}
      </select>
    </Field>
  );
}
