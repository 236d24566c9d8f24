import { TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual(
  { code: "Code of six digits", recovery: "Recovery code", missing: "Enter the code." },
  { code: "Code van zes cijfers", recovery: "Herstelcode", missing: "Vul de code in." },
);

export interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether it is sent as it is, empty: that is told. */
  readonly isMissing: boolean;
  readonly is: "code" | "recovery";
  /** Whether it takes the focus when it appears. */
  readonly isFirst?: boolean;
}

/** A code of two-factor sign-in, as phones and password managers know it. */
export function CodeField({ value, onChange, isMissing, is, isFirst = false }: CodeFieldProps) {
  const t = useTexts(texts);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // What is to be read before it stays in sight.
    if (isFirst) input.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <TextInput
      ref={input}
      label={is === "code" ? t.code : t.recovery}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isMissing ? t.missing : undefined}
      autoComplete={is === "code" ? "one-time-code" : "off"}
      inputMode={is === "code" ? "numeric" : "text"}
      maxLength={is === "code" ? 9 : 40}
      spellCheck={false}
      autoCapitalize={is === "code" ? "none" : "characters"}
      required
      withAsterisk={false}
    />
  );
}
