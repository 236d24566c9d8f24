import { Anchor, Badge, Code, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AdminAccounts } from "../../../../src/contract/operatorResources.ts";
import { readAccounts, readSuspensions } from "../../api/operator.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { Paged } from "../../queries/Paged.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { usePerson } from "../../session/session.tsx";
import { useAccountChanges } from "./accountChanges.tsx";
import { Invite } from "./Invite.tsx";
import { OperatorSearch } from "./SearchForm.tsx";
import { texts } from "./texts.ts";

/** All accounts, with a search, their plans and suspensions. */
export function Accounts() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const own = usePerson().accountId;
  const [query, setQuery] = useState({ q: "", page: 1 });
  const accounts = useQuery(() => readAccounts(query.q, query.page), `${query.page} ${query.q}`);
  const changes = useAccountChanges(accounts.reload);
  const { columns } = t;
  return (
    <Section title={t.tabs.accounts} aside={<Invite tiers={changes.tiers} />}>
      <OperatorSearch label={t.search} onSearch={(q) => setQuery({ q, page: 1 })} />
      {changes.messages}
      <Paged
        query={accounts}
        height={360}
        label={t.pages}
        page={query.page}
        onPage={(page) => setQuery({ ...query, page })}
        icon="search"
        none={t.noneFound}
      >
        {({ results, total }) => (
          <>
            <MutedText role="status">{t.found(number(total))}</MutedText>
            <CardTable
              spacing="md"
              rows={results}
              nameOf={({ id, email }) => ({ key: id, testId: `account-${email}` })}
              columns={[
                { title: columns.account, cell: (account) => <Name of={account} />, speaksForItself: true },
                { title: columns.plan, cell: changes.planSelect },
                {
                  title: columns.used,
                  cell: ({ used, limit }) => t.usedOf(number(used), number(limit)),
                  isNumber: true,
                },
                { title: columns.keys, cell: ({ liveKeys }) => number(liveKeys), isNumber: true },
                {
                  title: columns.actions,
                  cell: (account) =>
                    // Operators cannot suspend themselves: they could not resume their own account here.
                    account.id === own && !account.isSuspended ? (
                      <MutedText size="xs" ta="end">
                        {t.own}
                      </MutedText>
                    ) : (
                      <Group justify="flex-end">{changes.suspendButton(account)}</Group>
                    ),
                  speaksForItself: true,
                  hasHiddenTitle: true,
                },
              ]}
            />
          </>
        )}
      </Paged>
      {changes.dialog}
    </Section>
  );
}

type Account = AdminAccounts["results"][number];

function Name({ of: { id, email, createdAt, isAdmin, isSuspended, suspendedAt } }: { readonly of: Account }) {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  return (
    <Stack gap={2} align="flex-start">
      <Anchor href={linkTo("operator", "account", id)} size="sm" fw={600} className="breaks">
        {email}
      </Anchor>
      <MutedText size="xs">{t.accountSince(day(createdAt))}</MutedText>
      <Group gap={6}>
        {isAdmin ? <Badge className="badge live">{t.operator}</Badge> : null}
        {isSuspended ? (
          <Badge color="red" className="badge down">
            {suspendedAt === undefined ? t.suspended : t.suspendedSince(day(suspendedAt))}
          </Badge>
        ) : null}
      </Group>
    </Stack>
  );
}

/** Suspensions of deleted accounts, if any. Only their dates are stored. */
export function Suspensions() {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  const suspended = useQuery(readSuspensions);
  if (suspended.now.state === "loading" || suspended.value?.suspensions.length === 0) return null;
  return (
    <Section title={t.suspensions} about={t.suspensionsAbout}>
      <Loaded query={suspended} height={80}>
        {({ suspensions }) => (
          <Stack gap="sm">
            <Code block>opzoek account resume --email ADDRESS</Code>
            {suspensions.map(({ suspendedAt, keptUntil }) => (
              <Text key={`${suspendedAt} ${keptUntil}`} size="sm">
                {suspendedAt === undefined
                  ? t.suspensionUntil(day(keptUntil))
                  : t.suspension(day(suspendedAt), day(keptUntil))}
              </Text>
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
