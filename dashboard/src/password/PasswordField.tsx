import { PasswordInput } from "@mantine/core";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual({ show: "Show or hide" }, { show: "Tonen of verbergen" });

export interface PasswordFieldProps {
  readonly label: string;
  readonly about?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  /** Whether a password manager should fill in the one that is known, or propose another. */
  readonly is: "known" | "new";
}

/** A password, new or known, as password managers know it. */
export function PasswordField({ label, about, value, onChange, error, is }: PasswordFieldProps) {
  const t = useTexts(texts);
  return (
    <PasswordInput
      label={label}
      description={about}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      // The kit says it of the frame around the field only.
      aria-invalid={error === undefined ? undefined : true}
      autoComplete={is === "known" ? "current-password" : "new-password"}
      visibilityToggleButtonProps={{ "aria-label": `${label}: ${t.show}`, tabIndex: 0 }}
      required
      withAsterisk={false}
    />
  );
}
