import { Button, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef } from "react";

interface Props {
  readonly button: string;
  readonly isBusy: boolean;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

/** A short form with one button. The first field that is wrong gets the focus. */
export function Form({ button, isBusy, onSend, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend();
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  return (
    <form ref={form} noValidate onSubmit={send}>
      <Stack gap="md">
        {children}
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          {button}
        </Button>
      </Stack>
    </form>
  );
}
