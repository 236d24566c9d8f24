import { Anchor, Stack } from "@mantine/core";
import { WithOperator } from "../components/operator.tsx";
import { PageTitle } from "../components/PageTitle.tsx";
import { Quiet } from "../components/Quiet.ts";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual(
  {
    title: "Open this page securely",
    about: "Passwords and keys are never sent over a connection that others can read.",
    open: "Open with https",
    operator:
      "Doesn’t that work? The operator of this service has to set up TLS; docs/operations.md explains how.",
  },
  {
    title: "Open deze pagina beveiligd",
    about: "Wachtwoorden en sleutels gaan nooit over een verbinding die anderen kunnen meelezen.",
    open: "Openen met https",
    operator:
      "Werkt dat niet? De beheerder van deze dienst moet TLS instellen; in docs/operations.md staat hoe.",
  },
);

/** What stands in the place of the page where it was reached over plain HTTP from another machine. */
export function NeedsTls() {
  const t = useTexts(texts);
  return (
    <Stack className="surface" p="xl" maw={520}>
      <PageTitle title={t.title} about={t.about} />
      <Anchor href={`https://${location.host}/`}>{t.open}</Anchor>
      <Quiet>
        <WithOperator text={t.operator} />
      </Quiet>
    </Stack>
  );
}
