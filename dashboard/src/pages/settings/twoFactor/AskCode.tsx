import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../../components/Dialog.tsx";
import { useTexts } from "../../../language/language.tsx";
import { CodeField } from "../../../password/CodeField.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { OwnPassword, StepForm } from "./StepForm.tsx";
import { texts } from "./texts.ts";
import { useSays } from "./useSays.ts";

interface Props {
  readonly title: string;
  readonly about: string;
  readonly button: string;
  readonly isDangerous?: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSend: (password: string, code: string) => Promise<void>;
}

/** Asks for password and code, before what changes two-factor sign-in. */
export function AskCode({ title, isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {/* Mounted while it is open only: what was typed is forgotten with it. */}
      <AskForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

function AskForm({ about, button, isDangerous = false, onClose, onSend }: Omit<Props, "title" | "isOpen">) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const sending = useMutation(() => onSend(password, code));
  const says = useSays(sending.failure, "offAlready");
  return (
    <StepForm
      before={<Text>{about}</Text>}
      sending={sending}
      says={says}
      isComplete={password !== "" && code.trim() !== ""}
      button={button}
      isDangerous={isDangerous}
      onClose={onClose}
    >
      {(isChecked) => (
        <>
          <OwnPassword value={password} onChange={setPassword} isChecked={isChecked} />
          <Stack gap="xs" align="stretch">
            <CodeField
              value={code}
              onChange={setCode}
              isMissing={isChecked && code.trim() === ""}
              is={isRecovery ? "recovery" : "code"}
            />
            <Anchor
              component="button"
              type="button"
              size="sm"
              ta="left"
              onClick={() => setRecovery(!isRecovery)}
            >
              {isRecovery ? t.useCode : t.useRecovery}
            </Anchor>
          </Stack>
        </>
      )}
    </StepForm>
  );
}
