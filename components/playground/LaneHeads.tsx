import type { ComponentChildren } from "preact";
import {
  fill,
  formatsOfGroup,
  groupsFor,
  type Lane,
  lanesMax,
  type ModelChoice,
  type PlaygroundFormat,
  type PlaygroundOffer,
  possibleChoice,
} from "../../lib/playground/mod.ts";
import { Icon } from "../Icon.tsx";
import type { ConversationState } from "./use_conversation.ts";
import type { PlaygroundTexts } from "./use_playground.ts";

/** The models that answer, each with its group and format. */
export function LaneHeads(
  { offer, texts, conversation: { lanes, running, setLanes } }: {
    offer: PlaygroundOffer;
    texts: PlaygroundTexts;
    conversation: ConversationState;
  },
) {
  return (
    <div class="lanes">
      {lanes.map(({ choice, turns }, at) => (
        <div key={at} class="panel lane-head" role="group" aria-label={label(at, texts)}>
          <LaneHead
            choice={choice}
            at={at}
            offer={offer}
            texts={texts}
            disabled={running}
            onChoose={(choice) =>
              setLanes(lanes.with(at, { choice: possibleChoice(choice, offer), turns }))}
          />
          {lanes.length > 1 && (
            <button
              class="icon-button with-script"
              type="button"
              disabled={running}
              aria-label={fill(texts.removeModel, { number: at + 1, model: choice.model })}
              onClick={() => setLanes(lanes.toSpliced(at, 1))}
            >
              <Icon name="x" />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

function label(at: number, texts: PlaygroundTexts): string {
  return fill(texts.modelNumber, { number: at + 1 });
}

interface LaneHeadProps {
  readonly choice: ModelChoice;
  /** The index of the lane. The fields of the first lane belong to the form. */
  readonly at: number;
  readonly offer: PlaygroundOffer;
  readonly texts: PlaygroundTexts;
  readonly disabled: boolean;
  readonly onChoose: (choice: ModelChoice) => void;
}

/** Model, group and format of a lane. */
function LaneHead({ choice, at, offer, texts, disabled, onChoose }: LaneHeadProps) {
  const groups = groupsFor(choice.model, offer);
  const formats = formatsOfGroup(choice.groupId, offer);
  const change = (changed: Partial<ModelChoice>) =>
    onChoose(possibleChoice({ ...choice, ...changed }, offer));
  const form = at === 0 ? { form: "playground" } : {};
  return (
    <>
      <Select
        {...form}
        name="model"
        label={texts.model}
        value={choice.model}
        options={offer.models.map(({ id }) => [id, id])}
        disabled={disabled}
        onChange={(model) => change({ model })}
      />
      {offer.groups.length > 1 && (
        <Select
          {...form}
          name="group"
          label={texts.group}
          value={choice.groupId}
          options={groups.map((id) => [id, id])}
          disabled={disabled}
          onChange={(groupId) => change({ groupId })}
        />
      )}
      <Select
        {...form}
        name="format"
        label={texts.format}
        value={choice.format}
        options={formats.map((name) => [name, offer.formatNames[name]])}
        disabled={disabled}
        // Sound: the options are formats.
        onChange={(format) => change({ format: format as PlaygroundFormat })}
      />
    </>
  );
}

interface SelectProps {
  readonly form?: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
}

function Select({ form, name, label, value, options, disabled, onChange }: SelectProps) {
  return (
    <select
      class="input"
      form={form}
      name={name}
      aria-label={label}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(([id, text]) => (
        <option key={id} value={id} selected={id === value}>{text}</option>
      ))}
    </select>
  );
}

/** Actions on all conversations; the children are at the other end. */
export function LaneActions(
  { offer, texts, conversation, children }: {
    offer: PlaygroundOffer;
    texts: PlaygroundTexts;
    conversation: ConversationState;
    children: ComponentChildren;
  },
) {
  const { lanes, running, setLanes, clear } = conversation;
  return (
    <div class="lane-actions with-script">
      <button
        class="button small"
        type="button"
        disabled={running || lanes.length === lanesMax}
        onClick={() => setLanes([...lanes, anotherLane(lanes, offer)])}
      >
        <Icon name="plus" small />
        {texts.addModel}
      </button>
      {lanes.some(({ turns }) => turns.length > 0) && (
        <button class="button small" type="button" onClick={clear}>
          <Icon name="trash-2" small />
          {texts.clear}
        </button>
      )}
      <span class="spacer" />
      {children}
    </div>
  );
}

/** A lane that continues the first one with a model that no lane has. */
function anotherLane(lanes: readonly Lane[], offer: PlaygroundOffer): Lane {
  const [{ choice, turns }] = lanes;
  const taken = new Set(lanes.map(({ choice }) => choice.model));
  const model = offer.models.find(({ id }) => !taken.has(id)) ?? offer.models[0];
  return { choice: possibleChoice({ ...choice, model: model.id }, offer), turns };
}
