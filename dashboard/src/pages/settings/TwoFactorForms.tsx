import { Text } from "@mantine/core";
import { useState } from "react";
import type { TwoFactorSecret } from "../../../../src/contract/twoFactorResources.ts";
import { beginTwoFactor, turnOnTwoFactor } from "../../api/account.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { Form } from "../../forms/Form.tsx";
import { CodeField, KnownPassword } from "../../forms/fields.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { QrCode } from "./QrCode.tsx";
import { texts } from "./twoFactorTexts.ts";

type Texts = (typeof texts)["en"];

/** The texts for what the service refuses in these forms. */
const saysOf = (t: Texts) => ({
  FORBIDDEN: t.passwordWrong,
  INVALID_REQUEST: t.codeWrong,
  NOT_FOUND: t.tooLate,
  RATE_LIMIT_EXCEEDED: t.tries,
  SERVICE_UNAVAILABLE: t.away,
});

interface TurnOnProps {
  readonly onClose: () => void;
  /** Called with the recovery codes once it is on. */
  readonly onDone: (codes: readonly string[]) => void;
}

/** Turns two-factor sign-in on: first the password, then a QR code and a first code of the device. */
export function TurnOn({ onClose, onDone }: TurnOnProps) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const [secret, setSecret] = useState<TwoFactorSecret>();
  const beginning = useMutation(async () => setSecret(await beginTwoFactor(password)));
  const isOn = beginning.failure?.message.includes("already") === true;
  if (secret !== undefined) return <FirstCode secret={secret} onClose={onClose} onDone={onDone} />;
  return (
    <Form
      sending={beginning}
      says={{ ...saysOf(t), ...(isOn && { FORBIDDEN: t.onAlready }) }}
      isComplete={password !== ""}
      button={t.next}
      onClose={onClose}
    >
      {(isChecked) => (
        <KnownPassword label={t.password} value={password} onChange={setPassword} isChecked={isChecked} />
      )}
    </Form>
  );
}

function FirstCode({ secret: { secret, uri }, ...on }: TurnOnProps & { readonly secret: TwoFactorSecret }) {
  const t = useTexts(texts);
  const [code, setCode] = useState("");
  const turning = useMutation(async () => on.onDone((await turnOnTwoFactor(code)).codes));
  return (
    <Form
      sending={turning}
      says={saysOf(t)}
      isComplete={code.trim() !== ""}
      button={t.turnOn}
      onClose={on.onClose}
    >
      {(isChecked) => (
        <>
          <Text>{t.scan}</Text>
          <QrCode label={t.qr} text={uri} />
          <Copyable label={t.byHand} text={secret.replace(/(.{4})(?=.)/g, "$1 ")} />
          <Text>{t.first}</Text>
          <CodeField value={code} onChange={setCode} isChecked={isChecked} isFirst />
          <Quiet>{t.others}</Quiet>
        </>
      )}
    </Form>
  );
}

interface CodeFormProps {
  readonly about: string;
  readonly button: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  readonly onSend: (password: string, code: string) => Promise<void>;
}

/** Asks for the password and a code before two-factor sign-in is changed. */
export function CodeForm({ about, onSend, ...form }: CodeFormProps) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const sending = useMutation(() => onSend(password, code));
  return (
    <Form
      sending={sending}
      says={{ ...saysOf(t), NOT_FOUND: t.offAlready }}
      isComplete={password !== "" && code.trim() !== ""}
      {...form}
    >
      {(isChecked) => (
        <>
          <Text>{about}</Text>
          <KnownPassword label={t.password} value={password} onChange={setPassword} isChecked={isChecked} />
          <CodeField
            value={code}
            onChange={setCode}
            isChecked={isChecked}
            isRecovery={isRecovery}
            onSwitch={() => setRecovery(!isRecovery)}
          />
        </>
      )}
    </Form>
  );
}
