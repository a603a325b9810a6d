import {
  type FieldFaults,
  fieldMax,
  type FieldName,
  type Fields,
  type FieldValues,
  fill,
  offeredEfforts,
} from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import { Panel, SheetHead } from "../Panel.tsx";
import { described, Field } from "../controls.tsx";
import type { PlaygroundTexts } from "./use_playground.ts";

interface ParametersPanelProps {
  readonly fields: Fields;
  readonly faults: FieldFaults;
  /** Absent while a field is invalid. */
  readonly values: FieldValues | undefined;
  readonly texts: PlaygroundTexts;
  /** Set if one of the formats has no stop sequences. */
  readonly noStop: boolean;
  readonly onChange: (fields: Fields) => void;
}

/** The id of the sheet that holds the panel on small screens. */
export const parametersSheet = "parameters";

/** System prompt, parameters and tools of the requests. */
export function ParametersPanel(props: ParametersPanelProps) {
  const { fields, texts, onChange } = props;
  return (
    <div id={parametersSheet} class="sheet parameters" popover="auto">
      <SheetHead sheet={parametersSheet} title={texts.parameters} close={texts.close} />
      <Panel id="parameters-title" title={texts.parameters}>
        <div class="body fields">
          <Area {...props} name="system" label={texts.system} rows={4} plain />
          <div class="pair narrow">
            <Line {...props} name="temperature" label={texts.temperature} />
            <Line {...props} name="top_p" label={texts.topP} />
          </div>
          <div class="pair narrow">
            <Line {...props} name="max_tokens" label={texts.maxTokens} />
            <Effort {...props} />
          </div>
          <label class="tick">
            <input
              type="checkbox"
              form="playground"
              name="stream"
              value="1"
              checked={fields.stream}
              onChange={({ currentTarget }) =>
                onChange({ ...fields, stream: currentTarget.checked })}
            />
            {texts.stream}
          </label>
        </div>
        <RareFields {...props} />
      </Panel>
    </div>
  );
}

/** Fields that few requests need, each folded with its value in the summary. */
function RareFields(props: ParametersPanelProps) {
  const { fields, texts, noStop, onChange } = props;
  return (
    <>
      <Folded {...props} name="tools" label={texts.tools} hint={texts.toolsHint}>
        {fields.tools === "" && (
          <button
            class="link-button with-script"
            type="button"
            onClick={() => onChange({ ...fields, tools: exampleTools })}
          >
            {texts.toolsExample}
          </button>
        )}
      </Folded>
      <Folded {...props} name="schema" label={texts.schema} hint={texts.schemaHint} />
      <Folded
        {...props}
        name="stop"
        label={texts.stopTexts}
        hint={noStop ? texts.noStop : texts.stopHint}
      />
    </>
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

interface OneField extends ParametersPanelProps {
  readonly name: FieldName;
  readonly label: string;
  readonly hint?: string;
  readonly rows?: number;
  /** For prose instead of code. */
  readonly plain?: boolean;
  readonly children?: preact.ComponentChildren;
}

function Folded(props: OneField) {
  const { name, label, fields, faults } = props;
  return (
    <details class="fold rare" open={faults[name] !== undefined || fields[name] !== ""}>
      <summary>
        <Icon name="chevron-right" small />
        {label}
        <span class="spacer" />
        <span class="hint">{summaryOf(props)}</span>
      </summary>
      <Area {...props} rows={4} />
    </details>
  );
}

function summaryOf({ name, fields, values, texts }: OneField): string | number {
  if (fields[name].trim() === "") return texts.none;
  if (name === "tools") return values?.tools.length ?? "";
  if (name === "stop") return values?.parameters.stop.length ?? "";
  return texts.set;
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
      <input
        class="input"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        placeholder={props.texts.modelDecides}
        {...control}
      />
    </Field>
  );
}

function Area(props: OneField) {
  const { fault, control } = attributesOf(props);
  return (
    <Field id={control.id} label={props.label} hint={props.hint} fault={fault}>
      <textarea
        class={props.plain ? "input spoken" : "input"}
        rows={props.rows ?? 2}
        spellcheck={props.plain ?? false}
        {...control}
      />
      {props.children}
    </Field>
  );
}

function Effort({ fields, texts, onChange }: ParametersPanelProps) {
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
