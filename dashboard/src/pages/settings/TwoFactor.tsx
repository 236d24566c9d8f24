import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { TwoFactorSecret, TwoFactorState } from "../../../../src/contract/twoFactorResources.ts";
import {
  beginTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from "../../api/account.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { WithOperator } from "../../components/operator.tsx";
import { Section } from "../../components/Section.tsx";
import { saveFile } from "../../components/saveFile.ts";
import { Form } from "../../forms/Form.tsx";
import { CodeField, KnownPassword } from "../../forms/fields.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { QrCode } from "./QrCode.tsx";
import { texts } from "./twoFactorTexts.ts";

/** With fewer codes than this, the page suggests creating new ones. */
const FEW_CODES = 4;
type Action = "turn on" | "turn off" | "renew";

/**
 * Turns two-factor sign-in on and off, and renews recovery codes. Turning it on signs out other devices and calls
 * `onTurnedOn`.
 */
export function TwoFactor({ onTurnedOn }: { readonly onTurnedOn: () => void }) {
  const t = useTexts(texts);
  const twoFactor = useQuery(readTwoFactor);
  const [action, setAction] = useState<Action>();
  const [codes, setCodes] = useState<readonly string[]>();
  const done = (made?: readonly string[]) => {
    setAction(undefined);
    setCodes(made);
    twoFactor.reload();
  };
  const onClose = () => setAction(undefined);
  const finishTurningOn = (made: readonly string[]) => {
    done(made);
    onTurnedOn();
  };
  const turnOff = async (password: string, code: string) => {
    await turnOffTwoFactor(password, code);
    done();
  };
  const renew = async (password: string, code: string) =>
    done((await renewRecoveryCodes(password, code)).codes);
  // The forms are mounted only while their dialog is open, so that closing it clears the secret, passwords and codes.
  return (
    <Section title={t.title} about={t.about}>
      <Loaded query={twoFactor} height={72}>
        {(state) => <Shown state={state} onAction={setAction} />}
      </Loaded>
      <Dialog title={t.turnOnTitle} isOpen={action === "turn on"} onClose={onClose}>
        <TurnOn onClose={onClose} onDone={finishTurningOn} />
      </Dialog>
      <Dialog title={t.turnOffTitle} isOpen={action === "turn off"} onClose={onClose}>
        <CodeForm about={t.turnOffAbout} button={t.turnOff} isDangerous onClose={onClose} onSend={turnOff} />
      </Dialog>
      <Dialog title={t.renew} isOpen={action === "renew"} onClose={onClose}>
        <CodeForm about={t.renewAbout} button={t.renew} onClose={onClose} onSend={renew} />
      </Dialog>
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </Section>
  );
}

interface CodesProps {
  readonly codes: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** Shows recovery codes once. A click outside does not close it. */
function RecoveryCodes({ codes = [], onClose }: CodesProps) {
  const t = useTexts(texts);
  const text = codes.join("\n");
  return (
    <Dialog title={t.codesTitle} isOpen={codes.length > 0} onClose={onClose} isFirm>
      <Text>{t.codesAbout}</Text>
      <Copyable label={t.codes} text={text} />
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => saveFile(new Blob([`${text}\n`], { type: "text/plain" }), t.fileName)}
        >
          {t.download}
        </Button>
        <Button onClick={onClose}>{t.saved}</Button>
      </Group>
    </Dialog>
  );
}

interface ShownProps {
  readonly state: TwoFactorState;
  readonly onAction: (what: Action) => void;
}

function Shown({ state: { isOffered, isOn, since, recoveryCodesLeft = 0 }, onAction }: ShownProps) {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  if (!isOn) {
    return (
      <Group justify="space-between" gap="sm">
        <Badge color="gray" className="badge">
          {t.off}
        </Badge>
        {isOffered ? (
          <Button onClick={() => onAction("turn on")}>{t.turnOn}</Button>
        ) : (
          <Text>
            <WithOperator text={t.notOffered} />
          </Text>
        )}
      </Group>
    );
  }
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Badge className="badge live">{t.on(since === undefined ? "" : day(since))}</Badge>
        <MutedText>
          {t.codesLeft(recoveryCodesLeft)} {recoveryCodesLeft < FEW_CODES ? t.fewLeft : null}
        </MutedText>
      </Group>
      <Group gap="sm">
        <Button variant="default" onClick={() => onAction("renew")}>
          {t.renew}
        </Button>
        <Button variant="default" className="danger" onClick={() => onAction("turn off")}>
          {t.turnOff}
        </Button>
      </Group>
    </Stack>
  );
}

type Texts = (typeof texts)["en"];

/** Returns the texts for refusals in these forms. */
const failureTextsOf = (t: Texts) => ({
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

/** Turns two-factor sign-in on: first the password, then a QR code and a code from the device. */
function TurnOn({ onClose, onDone }: TurnOnProps) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const [secret, setSecret] = useState<TwoFactorSecret>();
  const beginning = useMutation(async () => setSecret(await beginTwoFactor(password)));
  const isOn = beginning.failure?.message.includes("already") === true;
  if (secret !== undefined) return <FirstCode secret={secret} onClose={onClose} onDone={onDone} />;
  return (
    <Form
      sending={beginning}
      failureTexts={{ ...failureTextsOf(t), ...(isOn && { FORBIDDEN: t.onAlready }) }}
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
      failureTexts={failureTextsOf(t)}
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
          <MutedText>{t.others}</MutedText>
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

/** Asks for the password and a code before changing two-factor sign-in. */
function CodeForm({ about, onSend, ...form }: CodeFormProps) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const sending = useMutation(() => onSend(password, code));
  return (
    <Form
      sending={sending}
      failureTexts={{ ...failureTextsOf(t), NOT_FOUND: t.offAlready }}
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
