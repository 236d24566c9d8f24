import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import type { Failure } from "../../api/failure.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { lengthFault } from "./rules.ts";
import { texts } from "./texts.ts";

/** A password that is being chosen: its value, what is wrong with it, and what the rule is. */
export function useNewPassword(length: SessionState["passwordLength"], failure: Failure | undefined) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [value, setValue] = useState("");
  const [refused, setRefused] = useState<string>();
  const [isChecked, setChecked] = useState(false);
  const fault = lengthFault(value, length);
  const says =
    fault === "short" ? t.tooShort(number(length.least)) : fault ? t.tooLong(number(length.most)) : undefined;
  // Of what the form itself cannot see, the list of common passwords is all that is left to refuse one.
  const isRefused = failure?.code === "INVALID_REQUEST" && refused === value;
  return {
    value,
    setValue,
    rule: t.passwordRule(number(length.least)),
    error: isChecked ? (says ?? (isRefused ? t.tooCommon : undefined)) : undefined,
    /** Whether it may be sent; from then on its fault is shown. */
    check: () => {
      setChecked(true);
      setRefused(value);
      return fault === undefined;
    },
  };
}
