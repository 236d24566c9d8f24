import { Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef } from "react";
import type { Failure } from "../../api/failure.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { PasswordField, type PasswordFieldProps } from "../../password/PasswordField.tsx";
import { texts } from "./texts.ts";

interface EmailFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether it is told that this is no address. */
  readonly isWrong: boolean;
}

interface Props {
  readonly title: string;
  readonly about?: string | undefined;
  /** What is to be said before the form. */
  readonly notices?: ReactNode;
  readonly failure: Failure | undefined;
  /** What the failure is told as, where this form knows better than its code. */
  readonly says?: string | undefined;
  readonly button: string;
  readonly isBusy: boolean;
  readonly onSend: () => void;
  readonly email?: EmailFieldProps;
  readonly password?: PasswordFieldProps;
  /** Where else to go. */
  readonly children: ReactNode;
}

/** The form of who is not signed in: address, password or both, and one button. The first field that is wrong gets the focus. */
export function VisitorForm({ title, about, notices, failure, says, email, password, ...rest }: Props) {
  const { button, isBusy, onSend, children } = rest;
  const form = useRef<HTMLFormElement>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend();
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  return (
    <Stack gap="lg">
      <PageTitle title={title} about={about} />
      {notices}
      <Problem failure={failure} says={says} />
      <form ref={form} noValidate onSubmit={send}>
        <Stack gap="md">
          {email === undefined ? null : <EmailField {...email} />}
          {password === undefined ? null : <PasswordField {...password} />}
          <Button type="submit" size="md" fullWidth loading={isBusy}>
            {button}
          </Button>
        </Stack>
      </form>
      {children}
    </Stack>
  );
}

/** The address that signs in, as password managers know it. */
function EmailField({ value, onChange, isWrong }: EmailFieldProps) {
  const t = useTexts(texts);
  return (
    <TextInput
      type="email"
      label={t.email}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isWrong ? t.emailBad : undefined}
      autoComplete="username"
      inputMode="email"
      spellCheck={false}
      autoCapitalize="none"
      required
      withAsterisk={false}
    />
  );
}
