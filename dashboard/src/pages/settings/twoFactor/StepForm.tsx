import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { Problem } from "../../../components/Problem.tsx";
import { useTexts } from "../../../language/language.tsx";
import { PasswordField } from "../../../password/PasswordField.tsx";
import type { Mutation } from "../../../queries/useMutation.ts";
import { texts } from "./texts.ts";

interface Props {
  /** What stands before the fields. */
  readonly before?: ReactNode;
  readonly sending: Mutation<readonly []>;
  /** What a failure is told as, where this form knows better than its code. */
  readonly says: string | undefined;
  /** Whether all fields are filled in: only then it is sent. */
  readonly isComplete: boolean;
  readonly button: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  /** The fields; `isChecked` once it was to be sent, from when on what is missing is told. */
  readonly children: (isChecked: boolean) => ReactNode;
}

/** A step in a dialog of two-factor sign-in: its fields, what went wrong, and its two buttons. */
export function StepForm({ before, sending, says, isComplete, button, onClose, children, ...rest }: Props) {
  const { isDangerous = false } = rest;
  const t = useTexts(texts);
  const [isChecked, setChecked] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isComplete) void sending.run();
  };
  return (
    <form noValidate onSubmit={send}>
      <Stack gap="lg">
        {before}
        <Problem failure={sending.failure} says={says} />
        {children(isChecked)}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={sending.isBusy} {...(isDangerous && { color: "red.9" })}>
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface PasswordProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isChecked: boolean;
}

/** The password, asked for again before anything of two-factor sign-in changes. */
export function OwnPassword({ value, onChange, isChecked }: PasswordProps) {
  const t = useTexts(texts);
  return (
    <PasswordField
      label={t.password}
      value={value}
      onChange={onChange}
      error={isChecked && value === "" ? t.passwordMissing : undefined}
      is="known"
    />
  );
}
