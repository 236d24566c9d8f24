import { Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef } from "react";
import type { Failure } from "../../api/failure.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { CodeField, type CodeFieldProps } from "../../password/CodeField.tsx";
import { PasswordField, type PasswordFieldProps } from "../../password/PasswordField.tsx";
import { texts } from "./texts.ts";

interface EmailFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with it. */
  readonly error: string | undefined;
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
  readonly code?: CodeFieldProps;
  /** Where else to go. */
  readonly children: ReactNode;
}

/** The form of who is not signed in: address, password or both, and one button. The first field that is wrong gets the focus. */
export function VisitorForm({ title, about, notices, failure, says, email, password, code, ...rest }: Props) {
  const { button, isBusy, onSend, children } = rest;
  const form = useRef<HTMLFormElement>(null);
  const focusWrong = useCallback(() => {
    form.current?.querySelector<HTMLElement>("input[aria-invalid=true]")?.focus();
  }, []);
  // What the service refused may be a field of this form.
  useEffect(() => {
    if (!isBusy) focusWrong();
  }, [isBusy, focusWrong]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend();
    requestAnimationFrame(focusWrong);
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
          {code === undefined ? null : <CodeField {...code} isFirst />}
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
function EmailField({ value, onChange, error }: EmailFieldProps) {
  const t = useTexts(texts);
  return (
    <TextInput
      type="email"
      label={t.email}
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
