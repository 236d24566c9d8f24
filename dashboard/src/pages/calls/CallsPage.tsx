import { Button, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import type { AccountCalls } from "../../../../src/contract/accountResources.ts";
import type { LedgerOperation } from "../../../../src/contract/prices.ts";
import { type AskedCalls, readCalls } from "../../api/account.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Nothing } from "../../components/Nothing.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Pages } from "../../components/Pages.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { operations } from "../../language/operations.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { CallTable, keyName } from "./CallTable.tsx";
import { texts } from "./texts.ts";

const CLASSES = ["2xx", "4xx", "5xx"] as const;
const STATUSES = ["400", "403", "404", "429", "502", "503"];
const ANY: AskedCalls = { key: "", status: "", operation: "", page: 1 };
/** What the service keeps, until it has said so itself. */
const KEPT = { mostCalls: 1_000, days: 7 };

/** The account's last calls, by key, status and operation. */
export function CallsPage() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [asked, setAsked] = useState(ANY);
  const calls = useQuery(() => readCalls(asked), JSON.stringify(asked));
  const known = calls.now.state === "ready" ? calls.now.value : undefined;
  const { mostCalls, days } = known ?? KEPT;
  const isAny = asked.key === "" && asked.status === "" && asked.operation === "";
  return (
    <>
      <PageTitle title={t.title} about={t.about(number(mostCalls), number(days))} />
      {known?.isOn === false ? <Notice tone="info">{t.off}</Notice> : null}
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
          <Filters asked={asked} keys={known?.keys ?? []} onChange={setAsked} />
          <Loaded of={calls} height={320}>
            {(value) =>
              value.calls.length === 0 ? (
                <Nothing icon="list">{isAny ? t.none : t.noneFits}</Nothing>
              ) : (
                <Stack gap="md">
                  <CallTable calls={value.calls} />
                  <Pages
                    label={t.pages}
                    total={value.total}
                    pageSize={value.pageSize}
                    page={asked.page}
                    onChange={(page) => setAsked({ ...asked, page })}
                  />
                </Stack>
              )
            }
          </Loaded>
        </Stack>
      </Section>
    </>
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
