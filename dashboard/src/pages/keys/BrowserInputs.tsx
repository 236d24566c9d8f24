import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { type BrowserFields, browserFaultsOf, MOST_DAILY_TOKENS, MOST_ORIGINS } from "./browserFields.ts";
import { browserTexts } from "./browserTexts.ts";

interface Props {
  readonly fields: BrowserFields;
  readonly onChange: (part: Partial<BrowserFields>) => void;
  /** Whether what is wrong is told. */
  readonly isChecked: boolean;
}

/** Asks for the pages that may use a key for browsers, and what it may spend there. */
export function BrowserInputs({ fields, onChange, isChecked }: Props) {
  const t = useTexts(browserTexts);
  const { number } = useLanguage().formats;
  const faults = browserFaultsOf(fields);
  const wrongOrigins = () => {
    if (faults.noOrigin) return t.originsMissing;
    if (faults.tooManyOrigins) return t.originsMany(number(MOST_ORIGINS));
    return faults.origin === undefined ? undefined : t.originsWrong(faults.origin);
  };
  return (
    <>
      <Textarea
        label={t.origins}
        description={t.originsAbout}
        value={fields.origins}
        onChange={(event) => onChange({ origins: event.currentTarget.value })}
        error={isChecked ? wrongOrigins() : undefined}
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
      />
      <TextInput
        label={t.dailyTokens}
        description={t.dailyTokensAbout}
        value={fields.dailyTokens}
        onChange={(event) => onChange({ dailyTokens: event.currentTarget.value.trim() })}
        error={isChecked && faults.dailyTokens ? t.dailyTokensWrong(number(MOST_DAILY_TOKENS)) : undefined}
        inputMode="numeric"
        autoComplete="off"
      />
      <Checkbox
        label={t.mayLookUp}
        description={t.mayLookUpAbout}
        checked={fields.mayLookUp}
        onChange={(event) => onChange({ mayLookUp: event.currentTarget.checked })}
      />
    </>
  );
}
