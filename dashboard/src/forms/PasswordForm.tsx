import { type ReactNode, useState } from "react";
import { useMutation } from "../queries/useMutation.ts";
import { Form, type FormProps } from "./Form.tsx";
import { KnownPassword } from "./fields.tsx";

interface Props extends Omit<FormProps, "sending" | "isComplete" | "children"> {
  readonly label: string;
  readonly act: (password: string) => Promise<unknown>;
  /** Stands above the field. */
  readonly children?: ReactNode;
}

/** Asks for a password before something happens: a page that was left open is not enough for it. */
export function PasswordForm({ label, act, children, ...form }: Props) {
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
