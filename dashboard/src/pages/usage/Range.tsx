import { NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import { readRange } from "../../api/account.ts";
import { Figures } from "../../components/Figures.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { bilingual } from "../../language/bilingual.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { operations } from "../../language/operations.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";
import { useFigureCells } from "./useFigureCells.ts";

const rangeTexts = bilingual(
  {
    title: "Any period",
    about: "From any day to another (UTC), up to a year, of all keys or of one.",
    from: "From",
    to: "Up to and including",
    all: "All keys",
    wrong: "Choose two days of which the first is not the later one, at most a year apart.",
    none: "Nothing was called in this period.",
    total: "Total",
  },
  {
    title: "Zelf gekozen periode",
    about: "Van een dag tot een andere (UTC), hooguit een jaar, van alle sleutels of van één.",
    from: "Van",
    to: "Tot en met",
    all: "Alle sleutels",
    wrong: "Kies twee dagen waarvan de eerste niet de latere is, hooguit een jaar uit elkaar.",
    none: "In deze periode is niets aangeroepen.",
    total: "Totaal",
  },
);

const DAY_MS = 86_400_000;
const MOST_DAYS = 367;

/** What was used from one day to another, by what was called, of all keys or of one. */
export function Range({ usage }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const r = useTexts(rangeTexts);
  const [from, setFrom] = useState(usage.period.start.slice(0, 10));
  const [to, setTo] = useState(new Date(Date.parse(usage.period.end) - 1).toISOString().slice(0, 10));
  const [key, setKey] = useState("");
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const isGood = days >= 1 && days <= MOST_DAYS;
  const keys = usage.byKey.map(({ keyId, name, lastFour, isPage }) => ({
    value: keyId,
    label: isPage ? t.thisPage : name === undefined ? t.deletedKeys : `${name} (…${lastFour})`,
  }));
  return (
    <Section title={r.title} about={r.about}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput
          type="date"
          label={r.from}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={r.to}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <NativeSelect
          label={t.key}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          data={[{ value: "", label: r.all }, ...keys]}
        />
      </SimpleGrid>
      {isGood ? <Used from={from} to={to} of={key} says={r} /> : <Text c="red">{r.wrong}</Text>}
    </Section>
  );
}

interface UsedProps {
  readonly from: string;
  readonly to: string;
  /** A key's id; empty for all. */
  readonly of: string;
  readonly says: { readonly none: string; readonly total: string };
}

function Used({ from, to, of: key, says }: UsedProps) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const cells = useFigureCells();
  const { number } = useLanguage().formats;
  const range = useQuery(() => readRange(from, to, key), `${from} ${to} ${key}`);
  return (
    <Loaded of={range} height={120}>
      {({ byOperation, total, test }) => {
        const tested =
          test === undefined ? null : (
            <Text size="sm" c="dimmed" data-testid="tested-range">
              {t.testedRange(number(test.total.requests), number(test.total.tokens))}
            </Text>
          );
        if (byOperation.length === 0) return tested ?? <Text c="dimmed">{says.none}</Text>;
        const lines = byOperation.map((line) => ({ ...line, name: names[line.operation] }));
        return (
          <Stack gap="md">
            <Figures
              head={[t.operation, ...cells.head]}
              figures={4}
              rows={[...lines, { ...total, name: says.total }].map((line) => [line.name, ...cells.of(line)])}
            />
            {tested}
          </Stack>
        );
      }}
    </Loaded>
  );
}
