import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { readPlans } from "../../api/account.ts";
import { readAccounts } from "../../api/operator.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Nothing } from "../../components/Nothing.tsx";
import { Pages } from "../../components/Pages.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { AccountTable } from "./AccountTable.tsx";
import { Invite } from "./Invite.tsx";
import { texts } from "./texts.ts";

/** Everybody's account: found, given a plan, suspended. */
export function Accounts() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState({ q: "", page: 1 });
  const accounts = useQuery(() => readAccounts(asked.q, asked.page), `${asked.page} ${asked.q}`);
  const plans = useQuery(readPlans);
  const tiers = plans.now.state === "ready" ? plans.now.value.tiers.map(({ name }) => name) : [];
  const search = (event: FormEvent) => {
    event.preventDefault();
    setAsked({ q: typed.trim(), page: 1 });
  };
  return (
    <Section title={t.tabs.accounts} aside={<Invite tiers={tiers} />}>
      <form onSubmit={search}>
        <Group align="flex-end" gap="sm">
          <TextInput
            flex="1 1 16rem"
            type="search"
            label={t.search}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default">
            {t.find}
          </Button>
        </Group>
      </form>
      <Loaded of={accounts} height={360}>
        {({ results, total, pageSize }) =>
          results.length === 0 ? (
            <Nothing icon="search">{t.noneFound}</Nothing>
          ) : (
            <Stack gap="md">
              <Text size="sm" c="dimmed" role="status">
                {t.found(number(total))}
              </Text>
              <AccountTable accounts={results} tiers={tiers} onChanged={accounts.reload} />
              <Pages
                label={t.pages}
                total={total}
                pageSize={pageSize}
                page={asked.page}
                onChange={(page) => setAsked({ ...asked, page })}
              />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}
