import { Anchor, Stack, Text } from "@mantine/core";
import { PageTitle } from "../components/PageTitle.tsx";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual(
  {
    title: "Open this page securely",
    about: "Passwords and keys are not sent over a connection that others can read.",
    open: "Open it with https",
    operator:
      "Does that not work? Whoever runs this service must put it behind TLS; docs/operations.md says how.",
  },
  {
    title: "Open deze pagina beveiligd",
    about: "Wachtwoorden en sleutels gaan niet over een verbinding die anderen kunnen meelezen.",
    open: "Open haar met https",
    operator:
      "Werkt dat niet? De beheerder van deze dienst moet er TLS voor zetten; docs/operations.md zegt hoe.",
  },
);

/** What stands in the place of the page where it was reached over plain HTTP from another machine. */
export function NeedsTls() {
  const t = useTexts(texts);
  return (
    <Stack className="surface" p="xl" maw={520}>
      <PageTitle title={t.title} about={t.about} />
      <Anchor href={`https://${location.host}/`}>{t.open}</Anchor>
      <Text size="sm" c="dimmed">
        {t.operator}
      </Text>
    </Stack>
  );
}
