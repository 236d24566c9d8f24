import { Stack, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import type { MonitorSettings } from "../../../../src/contract/monitors.ts";
import { changeMonitorSettings } from "../../api/monitors.ts";
import { Facts } from "../../components/Facts.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { Form } from "../../forms/Form.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import type { Query } from "../../queries/useQuery.ts";
import { useSession } from "../../session/session.tsx";
import { costTexts } from "./costTexts.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly settings: Query<MonitorSettings>;
}

/** The figures of the month, the monthly maximum and the weekly email. */
export function Costs({ settings }: Props) {
  const t = useTexts(costTexts);
  const { number } = useLanguage().formats;
  const hasMail = useSession().value?.hasMail === true;
  return (
    <>
      <Section title={t.month}>
        <Loaded query={settings} height={260}>
          {({ monitors, limit, pending, spent, maxTokens }) => (
            <Stack gap="xl">
              <Facts
                facts={[
                  [t.monitors, t.ofLimit(number(monitors), number(limit))],
                  [t.pending, number(pending)],
                  [
                    t.spent,
                    maxTokens === undefined ? number(spent) : t.ofLimit(number(spent), number(maxTokens)),
                  ],
                ]}
              />
              <Cap maxTokens={maxTokens} onChanged={settings.take} />
            </Stack>
          )}
        </Loaded>
      </Section>
      <Section title={t.digest} about={hasMail ? t.digestAbout : t.digestNone}>
        {hasMail ? (
          <Loaded query={settings} height={30}>
            {({ weeklyDigest }) => <Digest isOn={weeklyDigest} onChanged={settings.take} />}
          </Loaded>
        ) : null}
      </Section>
    </>
  );
}

interface ChangeProps {
  readonly onChanged: (settings: MonitorSettings) => void;
}

const CAP = /^[0-9]{0,9}$/;

function Cap({ maxTokens, onChanged }: ChangeProps & { readonly maxTokens: number | undefined }) {
  const t = useTexts(costTexts);
  const { save } = useTexts(texts);
  const [typed, setTyped] = useState(maxTokens === undefined ? "" : String(maxTokens));
  const [isSaved, setSaved] = useState(false);
  const saving = useMutation(async () => {
    onChanged(await changeMonitorSettings({ maxTokens: typed === "" ? null : Number(typed) }));
    setSaved(true);
  });
  const isGood = CAP.test(typed);
  return (
    <Form sending={saving} isComplete={isGood} button={save}>
      {(isChecked) => (
        <>
          <TextInput
            label={t.cap}
            description={t.capAbout}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value.trim());
              setSaved(false);
            }}
            error={isChecked && !isGood ? t.capWrong : undefined}
            inputMode="numeric"
            autoComplete="off"
          />
          {isSaved ? <Notice tone="good">{t.capSaved}</Notice> : null}
        </>
      )}
    </Form>
  );
}

function Digest({ isOn, onChanged }: ChangeProps & { readonly isOn: boolean }) {
  const t = useTexts(costTexts);
  const setting = useMutation(async (weeklyDigest: boolean) =>
    onChanged(await changeMonitorSettings({ weeklyDigest })),
  );
  return (
    <Stack gap="md">
      <Problem failure={setting.failure} />
      <Switch
        label={t.digestOn}
        checked={isOn}
        onChange={(event) => void setting.run(event.currentTarget.checked)}
      />
    </Stack>
  );
}
