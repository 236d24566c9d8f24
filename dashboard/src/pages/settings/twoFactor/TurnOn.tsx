import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { TwoFactorSecret } from "../../../../../src/contract/twoFactorResources.ts";
import { beginTwoFactor, turnOnTwoFactor } from "../../../api/twoFactor.ts";
import { Copyable } from "../../../components/Copyable.tsx";
import { Dialog } from "../../../components/Dialog.tsx";
import { Problem } from "../../../components/Problem.tsx";
import { useTexts } from "../../../language/language.tsx";
import { CodeField } from "../../../password/CodeField.tsx";
import { PasswordField } from "../../../password/PasswordField.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { QrCode } from "./QrCode.tsx";
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
  const [isChecked, setChecked] = useState(false);
  const beginning = useMutation(async () => onBegun(await beginTwoFactor(password)));
  const says = useSays(beginning.failure, "tooLate");
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (password !== "") void beginning.run();
  };
  return (
    <form noValidate onSubmit={send}>
      <Stack gap="lg">
        <Problem failure={beginning.failure} says={says} />
        <PasswordField
          label={t.password}
          value={password}
          onChange={setPassword}
          error={isChecked && password === "" ? t.passwordMissing : undefined}
          is="known"
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={beginning.isBusy}>
            {t.next}
          </Button>
        </Group>
      </Stack>
    </form>
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
  const [isChecked, setChecked] = useState(false);
  const turning = useMutation(async () => onDone((await turnOnTwoFactor(code)).codes));
  const says = useSays(turning.failure, "tooLate");
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (code.trim() !== "") void turning.run();
  };
  return (
    <form noValidate onSubmit={send}>
      <Stack gap="lg">
        <Text>{t.scan}</Text>
        <QrCode label={t.qr} text={uri} />
        <Copyable label={t.byHand} text={secret.replace(/(.{4})(?=.)/g, "$1 ")} />
        <Text>{t.first}</Text>
        <Problem failure={turning.failure} says={says} />
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={turning.isBusy}>
            {t.turnOn}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
