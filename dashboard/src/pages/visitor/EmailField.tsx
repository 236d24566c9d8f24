import { TextInput } from "@mantine/core";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

/** The address that signs in, as password managers know it. */
export function EmailField({ label, value, onChange, error }: Props) {
  return (
    <TextInput
      type="email"
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autoComplete="username"
      inputMode="email"
      spellCheck={false}
      autoCapitalize="none"
      required
      withAsterisk={false}
    />
  );
}
