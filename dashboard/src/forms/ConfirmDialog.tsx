import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Dialog } from "../components/Dialog.tsx";
import { useMutation } from "../queries/useMutation.ts";
import { Form, type FormProps } from "./Form.tsx";
import { KnownPassword } from "./fields.tsx";

type Props = Pick<FormProps, "failureTexts" | "button" | "isDangerous"> & {
  readonly title: string;
  readonly about: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
};

/** A confirmation dialog that also shows why the action failed. */
export function ConfirmDialog({ title, isOpen, onClose, ...question }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {/* Mounted only while the dialog is open, so that closing it clears a failure. */}
      <ConfirmForm onClose={onClose} {...question} />
    </Dialog>
  );
}

function ConfirmForm({ about, act, ...form }: Omit<Props, "title" | "isOpen">) {
  const sending = useMutation(act);
  return (
    <Form sending={sending} focusesCancel {...form}>
      <Text>{about}</Text>
    </Form>
  );
}

interface PasswordFormProps extends Omit<FormProps, "sending" | "isComplete" | "children"> {
  readonly label: string;
  readonly act: (password: string) => Promise<unknown>;
  readonly children?: ReactNode;
}

/** Asks for the password before a sensitive action, so that a page left open is not enough for it. */
export function PasswordForm({ label, act, children, ...form }: PasswordFormProps) {
  const [password, setPassword] = useState("");
  const sending = useMutation(() => act(password));
  return (
    <Form sending={sending} isComplete={password !== ""} {...form}>
      {(isChecked) => (
        <>
          {children}
          <KnownPassword label={label} value={password} onChange={setPassword} isChecked={isChecked} />
        </>
      )}
    </Form>
  );
}
