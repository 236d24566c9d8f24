import { Button, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import type { AccountCalls } from "../../../../src/contract/accountResources.ts";
import type { LedgerOperation } from "../../../../src/contract/prices.ts";
import type { AskedCalls } from "../../api/account.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Nothing } from "../../components/Nothing.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Pages } from "../../components/Pages.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { operations } from "../../language/operations.ts";
import type { Query } from "../../queries/useQuery.ts";
import { CallTable, keyName } from "./CallTable.tsx";
import { texts } from "./texts.ts";

const CLASSES = ["2xx", "4xx", "5xx"] as const;
const STATUSES = ["400", "403", "404", "429", "502", "503"];
/** All calls, from the first page. */
export const ANY_CALLS: AskedCalls = { key: "", status: "", operation: "", page: 1 };

interface Props {
  readonly calls: Query<AccountCalls>;
  readonly asked: AskedCalls;
  readonly onAsk: (asked: AskedCalls) => void;
}

/** Calls of an account with their filters, and how many are known to be missing. */
export function CallList({ calls, asked, onAsk }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const known = calls.now.state === "ready" ? calls.now.value : undefined;
  const isAny = asked.key === "" && asked.status === "" && asked.operation === "";
  const none = (leftOut: number) => (leftOut > 0 ? t.noneKept : t.none);
  return (
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
        {known === undefined || known.leftOut === 0 ? null : (
          <Notice tone="warning">{t.leftOut(number(known.leftOut))}</Notice>
        )}
        <Filters asked={asked} keys={known?.keys ?? []} onChange={onAsk} />
        <Loaded of={calls} height={320}>
          {(value) =>
            value.calls.length === 0 ? (
              <Nothing icon="list">{isAny ? none(value.leftOut) : t.noneFits}</Nothing>
            ) : (
              <Stack gap="md">
                <CallTable key={JSON.stringify(asked)} calls={value.calls} />
                <Pages
                  label={t.pages}
                  total={value.total}
                  pageSize={value.pageSize}
                  page={asked.page}
                  onChange={(page) => onAsk({ ...asked, page })}
                />
              </Stack>
            )
          }
        </Loaded>
      </Stack>
    </Section>
  );
}

interface FilterProps {
  readonly asked: AskedCalls;
  readonly keys: AccountCalls["keys"];
  readonly onChange: (asked: AskedCalls) => void;
}

function Filters({ asked, keys, onChange }: FilterProps) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const all = { value: "", label: t.all };
  const change = (part: Partial<AskedCalls>) => onChange({ ...asked, ...part, page: 1 });
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      <NativeSelect
        label={t.key}
        value={asked.key}
        onChange={(event) => change({ key: event.currentTarget.value })}
        data={[all, ...keys.map((key) => ({ value: key.keyId, label: keyName(key, t) }))]}
      />
      <NativeSelect
        label={t.status}
        value={asked.status}
        onChange={(event) => change({ status: event.currentTarget.value })}
        data={[all, ...CLASSES.map((value) => ({ value, label: t.statuses[value] })), ...STATUSES]}
      />
      <NativeSelect
        label={t.operation}
        value={asked.operation}
        onChange={(event) => change({ operation: event.currentTarget.value })}
        data={[
          all,
          ...(Object.keys(names) as LedgerOperation[]).map((value) => ({ value, label: names[value] })),
        ]}
      />
    </SimpleGrid>
  );
}
