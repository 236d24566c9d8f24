import { Button, Group, Stack, Text } from "@mantine/core";
import { PRICES } from "../../../../../../src/contract/prices.ts";
import { known } from "../../../../../../src/lib/values.ts";
import { bodyOf, lookup } from "../../../../api/publicApi.ts";
import { useTexts } from "../../../../language/language.tsx";
import { useMutation } from "../../../../queries/useMutation.ts";
import { CallProblem } from "../../CallProblem.tsx";
import { CompanyBox, kvkNumberIn } from "../../find/CompanyBox.tsx";
import { texts as findTexts } from "../../find/texts.ts";
import { useChosenCompany } from "../../find/useChosenCompany.ts";
import { useTypingSession } from "../../find/useTypingSession.ts";
import { useTokenMeter, useTokens } from "../../tokenMeter.tsx";
import type { FoundCompany } from "../job/answers.ts";
import { matchTexts } from "../matchTexts.ts";

/** Finds the company of a row by its name, or by a KVK number. */
export function FindForRow({ onChoose }: { readonly onChoose: (company: FoundCompany) => void }) {
  const { settle: t } = useTexts(matchTexts);
  const find = useTexts(findTexts);
  const tokens = useTokens();
  const { count } = useTokenMeter();
  const company = useChosenCompany();
  const typing = useTypingSession(count);
  const { chosen, typed } = company;
  const number = chosen === undefined ? kvkNumberIn(typed) : undefined;
  const looking = useMutation(async (kvkNumber: string) => {
    const { name, address, isActive } = bodyOf(count(await lookup(kvkNumber)));
    onChoose({ kvkNumber, name, isActive, ...known("city", address.city) });
  });
  const choose = () => {
    if (chosen === undefined) return;
    const { kvkNumber, name, city } = chosen;
    onChoose({ kvkNumber, name, ...known("city", city) });
  };
  return (
    <Stack gap="sm" component="section" aria-label={t.search}>
      <Text fw={600}>{t.search}</Text>
      <CompanyBox
        {...company}
        onChoose={(item) => {
          company.onChoose(item);
          typing.end();
          looking.forget();
        }}
        onLookUp={(kvkNumber) => {
          if (chosen === undefined) void looking.run(kvkNumber);
          else choose();
        }}
        ask={typing.suggest}
        about={find.about}
        none={find.none}
      />
      <CallProblem failure={looking.failure} />
      <Group>
        {chosen === undefined ? null : (
          <Button onClick={choose}>{`${t.use}: ${chosen.name}, ${t.kvk(chosen.kvkNumber)}`}</Button>
        )}
        {number === undefined ? null : (
          <Button loading={looking.isBusy} onClick={() => void looking.run(number)}>
            {`${t.useNumber} (${tokens(PRICES.lookup)})`}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
