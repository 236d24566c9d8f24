import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { TwoFactorState } from "../../../../src/contract/twoFactorResources.ts";
import { readTwoFactor, renewRecoveryCodes, turnOffTwoFactor } from "../../api/account.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { WithOperator } from "../../components/operator.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { CodeForm, TurnOn } from "./TwoFactorForms.tsx";
import { texts } from "./twoFactorTexts.ts";

/** Below this the page suggests to create new codes. */
const FEW_CODES = 4;
type Asking = "turn on" | "turn off" | "renew";

/** Turns two-factor sign-in on and off, and renews its recovery codes. Turning it on signs out other devices: `onTurnedOn` is called then. */
export function TwoFactor({ onTurnedOn }: { readonly onTurnedOn: () => void }) {
  const t = useTexts(texts);
  const twoFactor = useQuery(readTwoFactor);
  const [asking, setAsking] = useState<Asking>();
  const [codes, setCodes] = useState<readonly string[]>();
  const done = (made?: readonly string[]) => {
    setAsking(undefined);
    setCodes(made);
    twoFactor.reload();
  };
  const onClose = () => setAsking(undefined);
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
  // The forms are mounted only while their dialog is open: the secret, passwords and codes are forgotten with it.
  return (
    <Section title={t.title} about={t.about}>
      <Loaded of={twoFactor} height={72}>
        {(state) => <Shown state={state} onAsk={setAsking} />}
      </Loaded>
      <Dialog title={t.turnOnTitle} isOpen={asking === "turn on"} onClose={onClose}>
        <TurnOn onClose={onClose} onDone={finishTurningOn} />
      </Dialog>
      <Dialog title={t.turnOffTitle} isOpen={asking === "turn off"} onClose={onClose}>
        <CodeForm about={t.turnOffAbout} button={t.turnOff} isDangerous onClose={onClose} onSend={turnOff} />
      </Dialog>
      <Dialog title={t.renew} isOpen={asking === "renew"} onClose={onClose}>
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
        <Button variant="default" onClick={() => download(`${text}\n`, t.fileName)}>
          {t.download}
        </Button>
        <Button onClick={onClose}>{t.saved}</Button>
      </Group>
    </Dialog>
  );
}

function download(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface ShownProps {
  readonly state: TwoFactorState;
  readonly onAsk: (what: Asking) => void;
}

function Shown({ state: { isOffered, isOn, since, recoveryCodesLeft = 0 }, onAsk }: ShownProps) {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  if (!isOn) {
    return (
      <Group justify="space-between" gap="sm">
        <Badge color="gray" className="badge">
          {t.off}
        </Badge>
        {isOffered ? (
          <Button onClick={() => onAsk("turn on")}>{t.turnOn}</Button>
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
        <Quiet>
          {t.codesLeft(recoveryCodesLeft)} {recoveryCodesLeft < FEW_CODES ? t.fewLeft : null}
        </Quiet>
      </Group>
      <Group gap="sm">
        <Button variant="default" onClick={() => onAsk("renew")}>
          {t.renew}
        </Button>
        <Button variant="default" className="danger" onClick={() => onAsk("turn off")}>
          {t.turnOff}
        </Button>
      </Group>
    </Stack>
  );
}
