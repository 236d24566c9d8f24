import { Stack, Switch } from "@mantine/core";
import { setAllowanceMails } from "../../api/account.ts";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { usePerson, useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** Turns emails about tokens running out on and off, where this service sends email. */
export function AllowanceMails() {
  const t = useTexts(texts);
  const { allowanceMails } = usePerson();
  const { value, reload } = useSession();
  const hasMail = value?.hasMail === true;
  const setting = useMutation(async (areWanted: boolean) => {
    await setAllowanceMails(areWanted);
    reload();
  });
  return (
    <Section title={t.allowanceMails} about={hasMail ? t.allowanceMailsAbout : t.allowanceMailsNone}>
      {hasMail ? (
        <Stack gap="md">
          <Problem failure={setting.failure} />
          <Switch
            label={t.allowanceMailsOn}
            checked={allowanceMails}
            onChange={(event) => void setting.run(event.currentTarget.checked)}
          />
        </Stack>
      ) : null}
    </Section>
  );
}
