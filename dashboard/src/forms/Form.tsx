import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Problem } from "../components/Problem.tsx";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import type { Mutation } from "../queries/useMutation.ts";
import { type FailureTexts, failureText } from "./failureTexts.ts";

const texts = bilingual({ cancel: ["Cancel", "Annuleren"] });

export interface FormProps {
  readonly sending: Mutation<readonly []>;
  readonly failureTexts?: FailureTexts;
  /**
   * Whether all fields are filled in correctly. Otherwise nothing is sent, and the first wrong field gets the focus.
   */
  readonly isComplete?: boolean;
  readonly button: string;
  readonly isDangerous?: boolean;
  /** Closes the surrounding dialog; adds a cancel button, which `focusesCancel` focuses. */
  readonly onClose?: () => void;
  readonly focusesCancel?: boolean;
  /** Whether the form fills its card. */
  readonly isWide?: boolean;
  /** The fields; `isChecked` after the first submit, from when on they show errors. */
  readonly children: ReactNode | ((isChecked: boolean) => ReactNode);
}

/** A form with its fields, the failure of sending them, and the submit button. */
export function Form({
  sending,
  failureTexts = {},
  isComplete = true,
  button,
  children,
  ...look
}: FormProps) {
  const { isDangerous = false, onClose, focusesCancel = false, isWide = false } = look;
  const t = useTexts(texts);
  const { duration } = useLanguage().formats;
  const [checks, setChecks] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, failure } = sending;
  // Also after a response, because the service may have refused a field.
  useEffect(() => {
    if (checks > 0 && !isBusy) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [checks, isBusy]);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setChecks((count) => count + 1);
    if (isComplete && (await sending.run())) setChecks(0);
  };
  const forgetField = () => {
    if (failure?.field !== undefined) sending.forget();
  };
  const text = failureText(failure, failureTexts, duration);
  const isAtField = failure?.field !== undefined && text === undefined;
  const submit = (
    <Button
      type="submit"
      loading={isBusy}
      {...(isDangerous && { color: "red.9" })}
      {...(isWide && { size: "md", fullWidth: true })}
    >
      {button}
    </Button>
  );
  return (
    <form ref={form} noValidate onSubmit={(event) => void send(event)} onChange={forgetField}>
      <Stack
        gap={onClose === undefined ? "md" : "lg"}
        {...(!isWide && onClose === undefined && { maw: 420 })}
      >
        {typeof children === "function" ? children(checks > 0) : children}
        {isAtField ? null : <Problem failure={failure} text={text} />}
        {isWide ? (
          submit
        ) : (
          <Group justify={onClose === undefined ? "flex-start" : "flex-end"}>
            {onClose === undefined ? null : (
              <Button variant="default" onClick={onClose} {...(focusesCancel && { "data-autofocus": true })}>
                {t.cancel}
              </Button>
            )}
            {submit}
          </Group>
        )}
      </Stack>
    </form>
  );
}
