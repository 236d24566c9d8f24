import { Badge, Button, Code, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import type { AccountCalls } from "../../../../src/contract/accountResources.ts";
import type { CallQuery } from "../../api/account.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useKeyName } from "../../language/names.ts";
import { operations } from "../../language/operations.ts";
import { Paged } from "../../queries/Paged.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

const CLASSES = ["2xx", "4xx", "5xx"] as const;
const STATUSES = ["400", "403", "404", "429", "502", "503"];
const ANY_CALLS: CallQuery = { key: "", status: "", operation: "", page: 1 };

/** Reads calls by filters, for {@link CallList}. */
export function useCalls(read: (query: CallQuery) => Promise<AccountCalls>) {
  const [query, onQuery] = useState(ANY_CALLS);
  const calls = useQuery(() => read(query), JSON.stringify(query));
  return { calls, query, onQuery };
}

interface Props extends ReturnType<typeof useCalls> {
  /** Shown when the operator has switched the list off. */
  readonly off: string;
}

/** Calls of an account with filters, and a note when calls are missing. */
export function CallList({ calls, query, onQuery, off }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { value: known } = calls;
  const isAny = query.key === "" && query.status === "" && query.operation === "";
  const leftOut = known?.leftOut ?? 0;
  return (
    <>
      {known?.isOn === false ? <Notice tone="info">{off}</Notice> : null}
      <Section
        title={t.list}
        about={known === undefined ? "\u00a0" : known.total === 1 ? t.one : t.count(number(known.total))}
        aside={
          <Button variant="default" size="xs" onClick={calls.reload}>
            {t.refresh}
          </Button>
        }
      >
        <Stack gap="md">
          {leftOut === 0 ? null : <Notice tone="warning">{t.leftOut(number(leftOut))}</Notice>}
          <Filters query={query} keys={known?.keys ?? []} onChange={onQuery} />
          <Paged
            query={calls}
            height={320}
            label={t.pages}
            page={query.page}
            onPage={(page) => onQuery({ ...query, page })}
            icon="list"
            none={!isAny ? t.noneFits : leftOut > 0 ? t.noneKept : t.none}
          >
            {(value) => <CallTable key={JSON.stringify(query)} calls={value.calls} />}
          </Paged>
        </Stack>
      </Section>
    </>
  );
}

interface FilterProps {
  readonly query: CallQuery;
  readonly keys: AccountCalls["keys"];
  readonly onChange: (query: CallQuery) => void;
}

function Filters({ query, keys, onChange }: FilterProps) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const keyName = useKeyName();
  const operationNames = Object.entries(names).map(([value, label]) => ({ value, label }));
  const filters = [
    ["key", keys.map((key) => ({ value: key.keyId, label: keyName(key) }))],
    ["status", [...CLASSES.map((value) => ({ value, label: t.statuses[value] })), ...STATUSES]],
    ["operation", operationNames],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      {filters.map(([name, choices]) => (
        <NativeSelect
          key={name}
          label={t[name]}
          value={query[name]}
          onChange={(event) => onChange({ ...query, [name]: event.currentTarget.value, page: 1 })}
          data={[{ value: "", label: t.all }, ...choices]}
        />
      ))}
    </SimpleGrid>
  );
}

/** A full page would take several phone screens. */
const CARDS_AT_ONCE = 15;

type Call = AccountCalls["calls"][number];

function CallTable({ calls }: Pick<AccountCalls, "calls">) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number, momentWithSeconds } = useLanguage().formats;
  const keyName = useKeyName();
  const { columns } = t;
  return (
    <CardTable
      rows={calls}
      cardsAtOnce={CARDS_AT_ONCE}
      nameOf={({ requestId, status }) => ({ key: requestId, testId: "call", state: String(status) })}
      columns={[
        { title: columns.at, cell: ({ at }) => momentWithSeconds(at) },
        { title: columns.operation, cell: ({ operation }) => names[operation] },
        { title: columns.status, cell: (call) => <Status call={call} /> },
        { title: columns.tokens, cell: ({ tokens }) => number(tokens), isNumber: true },
        {
          title: columns.ms,
          cell: ({ durationMs }) => t.ms(number(Math.round(durationMs * 10) / 10)),
          isNumber: true,
        },
        { title: columns.key, cell: (call) => <span className="breaks">{keyName(call)}</span> },
        { title: columns.request, cell: ({ requestId }) => <Code className="breaks">{requestId}</Code> },
      ]}
    />
  );
}

const BADGES = {
  answered: { color: "sea", className: "badge live" },
  refused: { color: "yellow", className: "badge ending" },
  failed: { color: "red", className: "badge down" },
} as const;

/** Shows the status by colour, number and code, to distinguish outages from refusals. */
function Status({ call: { status, code } }: { readonly call: Call }) {
  const badge = status < 400 ? BADGES.answered : status < 500 ? BADGES.refused : BADGES.failed;
  return (
    <Stack gap={2} align="flex-start">
      <Badge {...badge}>{status}</Badge>
      {code === undefined ? null : (
        <MutedText size="xs" className="breaks">
          {code}
        </MutedText>
      )}
    </Stack>
  );
}
