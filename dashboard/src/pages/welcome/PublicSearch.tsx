import { Anchor, Stack, Text } from "@mantine/core";
import { suggest } from "../../api/public.ts";
import { Facts } from "../../components/Facts.tsx";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../../router/router.ts";
import { CompanyBox } from "../try/find/CompanyBox.tsx";
import { useChosenCompany } from "../try/find/useChosenCompany.ts";
import { texts } from "./texts.ts";

const ask = async (text: string) => ({ items: (await suggest(text)).results });

/** A search box that works without an account, out of the registry alone. */
export function PublicSearch() {
  const t = useTexts(texts);
  const company = useChosenCompany();
  const { chosen } = company;
  return (
    <Stack gap="md" maw="34rem">
      <CompanyBox {...company} onLookUp={() => {}} ask={ask} about={t.searchAbout} none={t.none} />
      {chosen === undefined ? null : (
        <Stack gap="sm" className="surface" p="md" data-testid="chosen" role="status">
          <Facts
            facts={[
              [t.name, chosen.name],
              [t.city, chosen.city],
              [t.number, chosen.kvkNumber],
            ]}
          />
          <Text size="sm" c="dimmed">
            {t.more} <Anchor href={linkTo("sign-in")}>{t.signIn}</Anchor>
          </Text>
        </Stack>
      )}
    </Stack>
  );
}
