import type { FaultTexts, FormFaults } from "../../lib/admin/fault_text.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { BatchField, BatchValues } from "../../lib/console/wallet/code_batches.ts";
import { bindFields, TextField } from "../controls.tsx";

/** The fields of a new batch of codes. */
export function BatchFields({ texts, values, faults, faultTexts }: {
  texts: Catalog["codes"];
  values: BatchValues;
  faults: FormFaults<BatchField, string>;
  faultTexts: FaultTexts;
}) {
  const { optional } = texts;
  const field = bindFields(values, faults, faultTexts);
  const whole = { inputMode: "numeric", required: true } as const;
  return (
    <>
      <TextField
        {...field("name")}
        label={texts.name}
        hint={texts.nameHint}
        maxLength={100}
        required
      />
      <div class="pair">
        <TextField {...field("amount")} label={texts.amountField} inputMode="decimal" required />
        <TextField {...field("count")} label={texts.countField} {...whole} />
      </div>
      <div class="pair">
        <TextField {...field("uses")} label={texts.usesField} hint={texts.usesHint} {...whole} />
        <TextField
          {...field("perAccount")}
          label={texts.perAccountField}
          hint={texts.perAccountHint}
          optional={optional}
          inputMode="numeric"
        />
      </div>
      <div class="pair">
        <TextField
          {...field("expiry")}
          type="date"
          label={texts.expiresField}
          hint={texts.expiresHint}
          optional={optional}
        />
      </div>
    </>
  );
}
