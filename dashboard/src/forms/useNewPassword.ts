import { useState } from "react";
import type { Failure } from "../api/failure.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { useSession } from "../session/session.tsx";

const texts = bilingual({
  rule: (least: string) => [
    `At least ${least} characters. A few unrelated words make a good password.`,
    `Minstens ${least} tekens. Een paar losse woorden werken goed.`,
  ],
  short: (least: string) => [`Use at least ${least} characters.`, `Gebruik minstens ${least} tekens.`],
  long: (most: string) => [`Use at most ${most} characters.`, `Gebruik maximaal ${most} tekens.`],
  common: [
    "This password is too easy to guess. Choose a few unrelated words.",
    "Dit wachtwoord is te makkelijk te raden. Kies een paar losse woorden.",
  ],
});

const UNKNOWN = { least: 0, most: Number.POSITIVE_INFINITY };

/** The state of a new password. @param failure of sending it: the service refuses common passwords */
export function useNewPassword(failure: Failure | undefined) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [value, setValue] = useState("");
  const { least, most } = useSession().value?.passwordLength ?? UNKNOWN;
  // The rule counts characters, not UTF-16 code units.
  const length = [...value.normalize("NFKC")].length;
  const fault = length < least ? t.short(number(least)) : length > most ? t.long(number(most)) : undefined;
  const refused = failure?.field === "password" ? t.common : undefined;
  return {
    value,
    clear: () => setValue(""),
    isGood: fault === undefined,
    /** The properties of its field. */
    field: (isChecked: boolean) => ({
      about: t.rule(number(least)),
      value,
      onChange: setValue,
      error: isChecked ? (fault ?? refused) : undefined,
      is: "new" as const,
    }),
  };
}
