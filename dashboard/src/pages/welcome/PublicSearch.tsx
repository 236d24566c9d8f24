import { Anchor, Group, Stack, Text } from "@mantine/core";
import type { SignupMode } from "../../../../src/contract/accountResources.ts";
import { suggest } from "../../api/account.ts";
import { Facts } from "../../components/Facts.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../../router/router.ts";
import { Examples } from "../../snippets/Examples.tsx";
import { snippetOf } from "../../snippets/snippets.ts";
import { CompanyBox, kvkNumberIn, vatNumberIn } from "../try/find/CompanyBox.tsx";
import { useChosenCompany } from "../try/find/useChosenCompany.ts";
import { useSuggestions } from "../try/find/useSuggestions.ts";
import { texts } from "./texts.ts";

const ask = async (text: string) => (await suggest(text)).results;

/**
 * A search box that works without an account, from the registry alone. A VAT number is not checked here: VIES is shared by all who
 * pay for its answers, so only the request is shown.
 */
export function PublicSearch({ signup }: { readonly signup: SignupMode }) {
  const t = useTexts(texts);
  const company = useChosenCompany();
  const { typed, chosen } = company;
  const number = chosen === undefined ? kvkNumberIn(typed) : undefined;
  const vatNumber = chosen === undefined ? vatNumberIn(typed) : undefined;
  const { items, isLoading, failure } = useSuggestions(number ?? "", number !== undefined, ask);
  const found = chosen ?? items.find(({ kvkNumber }) => kvkNumber === number);
  const isAnswered = number !== undefined && !isLoading;
  const path =
    vatNumber !== undefined
      ? `/v1/validate/vat/${vatNumber}`
      : found !== undefined || (isAnswered && failure === undefined)
        ? `/v1/lookup/${found?.kvkNumber ?? number}`
        : undefined;
  return (
    <Stack gap="md" maw="40rem">
      <CompanyBox {...company} onLookUp={() => {}} ask={ask} about={t.searchAbout} none={t.none} />
      {isAnswered && failure !== undefined ? <Problem failure={failure} /> : null}
      {path === undefined ? null : (
        <Stack gap="sm" className="surface" p="md" data-testid="chosen">
          <Stack gap="xs" role="status">
            {found === undefined ? (
              <Text>{vatNumber === undefined ? t.noNumber : t.vat}</Text>
            ) : (
              <>
                {found.isFuzzy ? <Text size="sm">{t.fuzzy}</Text> : null}
                <Facts
                  facts={[
                    [t.name, found.name],
                    [t.alsoKnownAs, found.matchedName],
                    [t.city, found.city],
                    [t.number, found.kvkNumber],
                  ]}
                />
              </>
            )}
          </Stack>
          <Text size="sm" fw={600}>
            {vatNumber === undefined ? t.request : t.vatRequest}
          </Text>
          <Examples
            of={(language) =>
              snippetOf(language, {
                method: "GET",
                url: location.origin + path,
                needsKey: true,
                body: undefined,
              })
            }
          />
          {vatNumber === undefined ? <Quiet>{t.needsKey}</Quiet> : null}
          <Group gap="md">
            {signup === "closed" ? null : <Anchor href={linkTo("sign-up")}>{t.signUp}</Anchor>}
            <Anchor href={linkTo("sign-in")}>{t.signIn}</Anchor>
            <Anchor href="/docs/#/guides/test-keys">{t.testKeys}</Anchor>
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
