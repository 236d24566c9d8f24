import { Anchor, Code, NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import type { AdminAudit } from "../../../../../src/contract/oneAccountResources.ts";
import { type AuditQuery, readAudit } from "../../../api/operator.ts";
import { CardTable } from "../../../components/CardTable.tsx";
import { MutedText } from "../../../components/MutedText.ts";
import { Section } from "../../../components/Section.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { planName } from "../../../language/names.ts";
import { Paged } from "../../../queries/Paged.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { linkTo } from "../../../router/router.ts";
import { OperatorSearch } from "../SearchForm.tsx";
import { texts } from "./texts.ts";

/** The operator of changes made on the command line. */
const TERMINAL = "terminal";

/** A full page would take several phone screens. */
const CARDS_AT_ONCE = 15;

interface Props {
  /** The account in the address; empty for all. */
  readonly account: string;
}

/** The changes made by operators, filtered by account and kind. */
export function Audit({ account }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [query, setQuery] = useState<AuditQuery>({ account, kind: "", page: 1 });
  const audit = useQuery(() => readAudit(query), JSON.stringify(query));
  const kinds = Object.entries(t.kinds).map(([value, label]) => ({ value, label }));
  const isAny = query.account === "" && query.kind === "";
  return (
    <Section title={t.title} about={t.about}>
      <OperatorSearch
        label={t.account}
        initial={account}
        onSearch={(typed) => setQuery({ ...query, account: typed, page: 1 })}
      >
        <NativeSelect
          flex="1 1 12rem"
          label={t.kind}
          value={query.kind}
          data={[{ value: "", label: t.all }, ...kinds]}
          onChange={(event) => setQuery({ ...query, kind: event.currentTarget.value, page: 1 })}
        />
      </OperatorSearch>
      <Paged
        query={audit}
        height={320}
        textOf={({ code }) => (code === "NOT_FOUND" ? t.noAccount : undefined)}
        label={t.pages}
        page={query.page}
        onPage={(page) => setQuery({ ...query, page })}
        icon="list"
        none={isAny ? t.none : t.noneFits}
      >
        {({ entries, total, maxListed }) => (
          <>
            <MutedText role="status">
              {total < maxListed ? t.found(number(total)) : t.foundMost(number(total))}
            </MutedText>
            <Entries key={JSON.stringify(query)} entries={entries} />
          </>
        )}
      </Paged>
    </Section>
  );
}

type Entry = AdminAudit["entries"][number];

function Entries({ entries }: Pick<AdminAudit, "entries">) {
  const t = useTexts(texts);
  const { momentWithSeconds } = useLanguage().formats;
  const { columns } = t;
  return (
    <CardTable
      rows={entries}
      cardsAtOnce={CARDS_AT_ONCE}
      nameOf={({ id, what }) => ({ key: id, testId: "audit-entry", state: what })}
      columns={[
        { title: columns.at, cell: ({ at }) => momentWithSeconds(at) },
        {
          title: columns.by,
          cell: ({ by, byEmail, accountId, what }) => (
            <span className="breaks">
              {by === TERMINAL
                ? t.terminal
                : by === accountId && what === "deleted"
                  ? t.holder
                  : (byEmail ?? by)}
            </span>
          ),
        },
        { title: columns.what, cell: (entry) => <ActionCell of={entry} /> },
        { title: columns.account, cell: (entry) => <AccountCell of={entry} /> },
      ]}
    />
  );
}

function ActionCell({ of: entry }: { readonly of: Entry }) {
  const t = useTexts(texts);
  const names: Readonly<Record<string, string>> = t.kinds;
  const change = changeOf(entry, t);
  return (
    <Stack gap={2} align="flex-start">
      {/* A newer version of the service may record kinds that have no text here. */}
      <span>{names[entry.what] ?? entry.what}</span>
      {change === "" ? null : (
        <MutedText size="xs" className="breaks">
          {change}
        </MutedText>
      )}
      {entry.keyId === undefined ? null : <Code className="breaks">{entry.keyId}</Code>}
    </Stack>
  );
}

function AccountCell({ of: { accountId, email } }: { readonly of: Entry }) {
  if (accountId === undefined) return "–";
  if (email === undefined) return <span className="breaks">{accountId}</span>;
  return (
    <Anchor href={linkTo("operator", "account", accountId)} size="sm" className="breaks">
      {email}
    </Anchor>
  );
}

/** Describes the change: a plan or address before and after, on or off, or a count. */
function changeOf({ what, from, to }: Entry, t: (typeof texts)["en"]): string {
  if (to === "true" || to === "false") return to === "true" ? t.on : t.off;
  if (what === "sessions ended") return from === undefined ? "" : t.ended(from);
  return [from, to].flatMap((plan) => (plan === undefined ? [] : planName(plan))).join(" → ");
}
