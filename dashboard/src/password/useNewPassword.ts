import { useState } from "react";
import type { Failure } from "../api/failure.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { useSession } from "../session/session.tsx";
import { lengthFault } from "./lengthFault.ts";

const texts = bilingual(
  {
    rule: (least: string) => `At least ${least} characters. A few unrelated words make a good password.`,
    short: (least: string) => `Use at least ${least} characters.`,
    long: (most: string) => `Use at most ${most} characters.`,
    common: "This password is too easy to guess. Choose a few unrelated words.",
  },
  {
    rule: (least) => `Minstens ${least} tekens. Een paar losse woorden werken goed.`,
    short: (least) => `Gebruik minstens ${least} tekens.`,
    long: (most) => `Gebruik maximaal ${most} tekens.`,
    common: "Dit wachtwoord is te makkelijk te raden. Kies een paar losse woorden.",
  },
);

const UNKNOWN = { least: 0, most: Number.POSITIVE_INFINITY };

/** A password that is being chosen: its value, what is wrong with it, and what the rule is. */
export function useNewPassword(failure: Failure | undefined) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { now } = useSession();
  const [value, setValue] = useState("");
  const [sent, setSent] = useState<string>();
  const [isChecked, setChecked] = useState(false);
  const length = now.state === "ready" ? now.value.passwordLength : UNKNOWN;
  const fault = lengthFault(value, length);
  // Of what the form itself cannot see, the list of common passwords is all that is left to refuse one.
  const isCommon = failure?.field === "password" && sent === value;
  const says =
    fault === "short"
      ? t.short(number(length.least))
      : fault === "long"
        ? t.long(number(length.most))
        : undefined;
  const error = isChecked ? (says ?? (isCommon ? t.common : undefined)) : undefined;
  return {
    value,
    setValue,
    error,
    /** What its field shows. */
    field: { about: t.rule(number(length.least)), value, onChange: setValue, error, is: "new" as const },
    /** Whether it may be sent; from then on its fault is shown. */
    check: () => {
      setChecked(true);
      setSent(value);
      return fault === undefined;
    },
    uncheck: () => setChecked(false),
  };
}
