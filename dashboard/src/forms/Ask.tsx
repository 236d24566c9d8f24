import { Text } from "@mantine/core";
import { Dialog } from "../components/Dialog.tsx";
import { useMutation } from "../queries/useMutation.ts";
import { Form, type FormProps } from "./Form.tsx";

type Props = Pick<FormProps, "says" | "button" | "isDangerous"> & {
  readonly title: string;
  readonly about: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
};

/** A dialog that asks before something happens, and shows why it failed. */
export function Ask({ title, isOpen, onClose, ...question }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {/* Mounted only while the dialog is open: a failure is forgotten with it. */}
      <Question onClose={onClose} {...question} />
    </Dialog>
  );
}

function Question({ about, act, ...form }: Omit<Props, "title" | "isOpen">) {
  const sending = useMutation(act);
  return (
    <Form sending={sending} focusesCancel {...form}>
      <Text>{about}</Text>
    </Form>
  );
}
