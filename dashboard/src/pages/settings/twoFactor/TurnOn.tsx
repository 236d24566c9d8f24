import { Text } from "@mantine/core";
import { useState } from "react";
import type { TwoFactorSecret } from "../../../../../src/contract/twoFactorResources.ts";
import { beginTwoFactor, turnOnTwoFactor } from "../../../api/twoFactor.ts";
import { Copyable } from "../../../components/Copyable.tsx";
import { Dialog } from "../../../components/Dialog.tsx";
import { useTexts } from "../../../language/language.tsx";
import { CodeField } from "../../../password/CodeField.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { QrCode } from "./QrCode.tsx";
import { OwnPassword, StepForm } from "./StepForm.tsx";
import { texts } from "./texts.ts";
import { useSays } from "./useSays.ts";

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Told the recovery codes once it is on. */
  readonly onDone: (codes: readonly string[]) => void;
}

/** Turns two-factor sign-in on: the password, then a QR code and a first code of the device. */
export function TurnOn({ isOpen, onClose, onDone }: Props) {
  const t = useTexts(texts);
  return (
    <Dialog title={t.turnOnTitle} isOpen={isOpen} onClose={onClose}>
      {/* Mounted while it is open only: the secret is forgotten with it. */}
      <Steps onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function Steps({ onClose, onDone }: Omit<Props, "isOpen">) {
  const [secret, setSecret] = useState<TwoFactorSecret>();
  return secret === undefined ? (
    <Begin onClose={onClose} onBegun={setSecret} />
  ) : (
    <First secret={secret} onClose={onClose} onDone={onDone} />
  );
}

interface BeginProps {
  readonly onClose: () => void;
  readonly onBegun: (secret: TwoFactorSecret) => void;
}

function Begin({ onClose, onBegun }: BeginProps) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const beginning = useMutation(async () => onBegun(await beginTwoFactor(password)));
  const says = useSays(beginning.failure, "tooLate");
  return (
    <StepForm sending={beginning} says={says} isComplete={password !== ""} button={t.next} onClose={onClose}>
      {(isChecked) => <OwnPassword value={password} onChange={setPassword} isChecked={isChecked} />}
    </StepForm>
  );
}

interface FirstProps {
  readonly secret: TwoFactorSecret;
  readonly onClose: () => void;
  readonly onDone: (codes: readonly string[]) => void;
}

function First({ secret: { secret, uri }, onClose, onDone }: FirstProps) {
  const t = useTexts(texts);
  const [code, setCode] = useState("");
  const turning = useMutation(async () => onDone((await turnOnTwoFactor(code)).codes));
  const says = useSays(turning.failure, "tooLate");
  const before = (
    <>
      <Text>{t.scan}</Text>
      <QrCode label={t.qr} text={uri} />
      <Copyable label={t.byHand} text={secret.replace(/(.{4})(?=.)/g, "$1 ")} />
      <Text>{t.first}</Text>
    </>
  );
  return (
    <StepForm
      before={before}
      sending={turning}
      says={says}
      isComplete={code.trim() !== ""}
      button={t.turnOn}
      onClose={onClose}
    >
      {(isChecked) => (
        <>
          <CodeField
            value={code}
            onChange={setCode}
            isMissing={isChecked && code.trim() === ""}
            is="code"
            isFirst
          />
          <Text size="sm" c="dimmed">
            {t.others}
          </Text>
        </>
      )}
    </StepForm>
  );
}
