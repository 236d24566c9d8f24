import { Anchor, PasswordInput, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual({
  email: ["Email address", "E-mailadres"],
  show: ["Show or hide", "Tonen of verbergen"],
  passwordMissing: ["Enter your password.", "Vul uw wachtwoord in."],
  code: ["Six-digit code", "Code van zes cijfers"],
  recovery: ["Recovery code", "Herstelcode"],
  codeMissing: ["Enter the code.", "Vul de code in."],
  useRecovery: ["Use a recovery code", "Een herstelcode gebruiken"],
  useCode: ["Use a code from the app", "Een code uit de app gebruiken"],
});

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface EmailProps extends FieldProps {
  readonly label?: string;
  readonly error: string | undefined;
  /** `username` when signing in. */
  readonly autoComplete: "username" | "email";
}

export function EmailField({ label, onChange, ...rest }: EmailProps) {
  const t = useTexts(texts);
  return (
    <TextInput
      {...(rest satisfies TextInputProps)}
      type="email"
      label={label ?? t.email}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode="email"
      spellCheck={false}
      autoCapitalize="none"
      required
      withAsterisk={false}
    />
  );
}

interface PasswordProps extends FieldProps {
  readonly label: string;
  readonly about?: string;
  readonly error: string | undefined;
  /** Whether a password manager should fill in the known password or suggest a new one. */
  readonly is: "known" | "new";
}

/** A password field that password managers recognise. */
export function PasswordField({ label, about, value, onChange, error, is }: PasswordProps) {
  const t = useTexts(texts);
  return (
    <PasswordInput
      label={label}
      description={about}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      // Mantine sets it only on the frame around the field.
      aria-invalid={error === undefined ? undefined : true}
      autoComplete={is === "known" ? "current-password" : "new-password"}
      visibilityToggleButtonProps={{ "aria-label": `${label}: ${t.show}`, tabIndex: 0 }}
      required
      withAsterisk={false}
    />
  );
}

interface KnownPasswordProps extends FieldProps {
  readonly label: string;
  readonly isChecked: boolean;
}

/** The field for the current password, which must not be empty. */
export function KnownPassword({ isChecked, ...field }: KnownPasswordProps) {
  const t = useTexts(texts);
  const error = isChecked && field.value === "" ? t.passwordMissing : undefined;
  return <PasswordField {...field} error={error} is="known" />;
}

interface CodeProps extends FieldProps {
  readonly isChecked: boolean;
  readonly isRecovery?: boolean;
  /** Switches between a code from the app and a recovery code; without it only the first is possible. */
  readonly onSwitch?: () => void;
  /** Whether it takes the focus when it appears. */
  readonly isFirst?: boolean;
}

/** The field for a two-factor code, which phones and password managers recognise. */
export function CodeField({ isChecked, isRecovery = false, onSwitch, isFirst = false, ...field }: CodeProps) {
  const { value, onChange } = field;
  const t = useTexts(texts);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The explanation above the field stays visible.
    if (isFirst) input.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <Stack gap="xs">
      <TextInput
        ref={input}
        label={isRecovery ? t.recovery : t.code}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={isChecked && value.trim() === "" ? t.codeMissing : undefined}
        autoComplete={isRecovery ? "off" : "one-time-code"}
        inputMode={isRecovery ? "text" : "numeric"}
        maxLength={isRecovery ? 40 : 9}
        spellCheck={false}
        autoCapitalize={isRecovery ? "characters" : "none"}
        required
        withAsterisk={false}
      />
      {onSwitch === undefined ? null : (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={onSwitch}>
          {isRecovery ? t.useCode : t.useRecovery}
        </Anchor>
      )}
    </Stack>
  );
}
