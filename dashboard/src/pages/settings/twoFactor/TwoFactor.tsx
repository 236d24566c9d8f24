import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { TwoFactorState } from "../../../../../src/contract/twoFactorResources.ts";
import { readTwoFactor, renewRecoveryCodes, turnOffTwoFactor } from "../../../api/twoFactor.ts";
import { Loaded } from "../../../components/Loaded.tsx";
import { WithOperator } from "../../../components/operator.tsx";
import { Section } from "../../../components/Section.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { AskCode } from "./AskCode.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { TurnOn } from "./TurnOn.tsx";
import { texts } from "./texts.ts";

/** Fewer than this are few. */
const FEW = 4;
type Asking = "turn on" | "turn off" | "renew";

/** Two-factor sign-in: turned on and off, and its recovery codes. `onTurnedOn` is told as other devices are signed out then. */
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
  const close = () => setAsking(undefined);
  return (
    <Section title={t.title} about={t.about}>
      <Loaded of={twoFactor} height={72}>
        {(state) => <Shown state={state} onAsk={setAsking} />}
      </Loaded>
      <TurnOn
        isOpen={asking === "turn on"}
        onClose={close}
        onDone={(made) => {
          done(made);
          onTurnedOn();
        }}
      />
      <AskCode
        title={t.turnOffTitle}
        about={t.turnOffAbout}
        button={t.turnOff}
        isDangerous
        isOpen={asking === "turn off"}
        onClose={close}
        onSend={async (password, code) => {
          await turnOffTwoFactor(password, code);
          done();
        }}
      />
      <AskCode
        title={t.renewTitle}
        about={t.renewAbout}
        button={t.renew}
        isOpen={asking === "renew"}
        onClose={close}
        onSend={async (password, code) => done((await renewRecoveryCodes(password, code)).codes)}
      />
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </Section>
  );
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
        <Badge variant="light" color="gray" tt="none" className="badge">
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
        <Badge variant="light" tt="none" className="badge live">
          {t.on(since === undefined ? "" : day(since))}
        </Badge>
        <Text size="sm" c="dimmed">
          {t.codesLeft(recoveryCodesLeft)} {recoveryCodesLeft < FEW ? t.fewLeft : null}
        </Text>
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
