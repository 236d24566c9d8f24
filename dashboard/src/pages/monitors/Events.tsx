import { Badge, Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { AccountEvents } from "../../../../src/contract/eventResources.ts";
import { EVENT_TYPES } from "../../../../src/contract/eventTypes.ts";
import { parseKvkNumberText } from "../../../../src/contract/kvkNumberText.ts";
import type { ChangeEvent, MonitorSettings } from "../../../../src/contract/monitors.ts";
import {
  markEventsRead,
  readAllEvents,
  readEvents,
  readWebhooks,
  redeliverEvent,
} from "../../api/monitors.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { CursorPages, useCursors } from "../../components/CursorPages.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Facts } from "../../components/Facts.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { saveTable } from "../../components/saveFile.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { sourceName } from "../../language/sources.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { type Query, useQuery } from "../../queries/useQuery.ts";
import { useUnread } from "../../session/unreadEvents.tsx";
import { changedFields, changeTexts, nameOfEvent } from "./changeTexts.ts";
import { useCoverage } from "./Sources.tsx";
import { rowsOfEvents } from "./tables.ts";
import { texts } from "./texts.ts";

interface Props {
  /** The number in the address; empty for all companies. */
  readonly kvkNumber: string;
  readonly settings: Query<MonitorSettings>;
}

/** Changes of monitored companies, newest first. Showing the latest ones of all companies marks them as read. */
export function Events({ kvkNumber, settings }: Props) {
  const t = useTexts(texts);
  const { types } = useTexts(changeTexts);
  const { language, formats } = useLanguage();
  const { number } = formats;
  const { whenSeen } = useCoverage(settings.value);
  const unread = useUnread();
  const cursors = useCursors();
  const [typed, setTyped] = useState(kvkNumber);
  const [type, setType] = useState("");
  const read = parseKvkNumberText(typed);
  const query = { kvkNumber: read.kind === "number" ? read.number : "", type, before: cursors.cursor };
  const isLatest = Object.values(query).every((filter) => filter === "");
  const events = useQuery(async () => {
    if (!isLatest) return readEvents(query);
    // First, so that an event that is recorded in between stays unread.
    await markEventsRead();
    unread.take(0);
    return readEvents(query);
  }, JSON.stringify(query));
  const saving = useMutation(async () => {
    saveTable(t.eventList, rowsOfEvents(await readAllEvents(query), language), language);
  });
  const webhooks = useQuery(readWebhooks).value?.webhooks ?? [];
  const pending = settings.value?.pending ?? 0;
  return (
    <Section
      title={t.eventList}
      about={settings.value === undefined ? "\u00a0" : t.eventsAbout(number(settings.value.retentionDays))}
      aside={
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={events.reload}>
            {t.refresh}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={16} />}
            loading={saving.isBusy}
            onClick={() => void saving.run()}
          >
            {t.csv}
          </Button>
        </Group>
      }
    >
      <Problem failure={saving.failure} />
      {pending === 0 ? null : <Notice tone="info">{t.waiting(number(pending))}</Notice>}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NativeSelect
          label={t.type}
          value={type}
          onChange={(event) => {
            setType(event.currentTarget.value);
            cursors.reset();
          }}
          data={[
            { value: "", label: t.allTypes },
            ...EVENT_TYPES.map((value) => ({ value, label: types[value] })),
          ]}
        />
        <TextInput
          label={t.number}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            cursors.reset();
          }}
          error={typed.trim().length < 8 || read.kind === "number" ? undefined : t.numberWrong}
          inputMode="numeric"
          autoComplete="off"
        />
      </SimpleGrid>
      <Loaded query={events} height={320}>
        {(page) =>
          page.events.length === 0 ? (
            <EmptyState icon="bell">{isLatest ? `${t.noEvents} ${whenSeen}` : t.noneFits}</EmptyState>
          ) : (
            <Stack gap="md">
              <EventTable of={page} hasWebhooks={webhooks.some(({ isEnabled }) => isEnabled)} />
              <CursorPages label={t.eventPages} of={cursors} next={page.before?.toString()} />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

interface TableProps {
  readonly of: AccountEvents;
  readonly hasWebhooks: boolean;
}

function EventTable({ of: { events, names }, hasWebhooks }: TableProps) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  const columns = t.eventColumns;
  const [isSent, setSent] = useState(false);
  const sending = useMutation(async (id: string) => {
    setSent(false);
    await redeliverEvent(id);
    setSent(true);
  });
  const { failure } = sending;
  const actions = {
    title: columns.actions,
    cell: (event: ChangeEvent) =>
      event.type === "monitor.ended" ? null : (
        <Button
          size="xs"
          variant="default"
          aria-label={`${t.resend}: ${nameOfEvent(event, names)}`}
          onClick={() => void sending.run(event.id)}
        >
          {t.resend}
        </Button>
      ),
    speaksForItself: true,
    hasHiddenTitle: true,
  };
  return (
    <>
      <Problem
        failure={failure}
        text={failure?.code === "INVALID_REQUEST" || failure?.code === "NOT_FOUND" ? t.notResent : undefined}
      />
      {isSent ? <Notice tone="good">{t.resent}</Notice> : null}
      <CardTable
        spacing="md"
        rows={events}
        nameOf={({ id, type }) => ({ key: id, testId: "event", state: type })}
        columns={[
          {
            title: columns.company,
            cell: (event) => <Company of={event} name={nameOfEvent(event, names)} />,
            speaksForItself: true,
          },
          { title: columns.change, cell: (event) => <Change of={event} />, speaksForItself: true },
          { title: columns.at, cell: ({ observedAt }) => moment(observedAt) },
          ...(hasWebhooks ? [actions] : []),
        ]}
      />
    </>
  );
}

interface EventProps {
  readonly of: ChangeEvent;
}

function Company({ of: { kvkNumber }, name }: EventProps & { readonly name: string }) {
  const t = useTexts(texts);
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600} className="breaks">
        {name}
      </Text>
      {kvkNumber === undefined || name === kvkNumber ? null : (
        <MutedText size="xs">{t.kvk(kvkNumber)}</MutedText>
      )}
    </Stack>
  );
}

const BAD = ["company.deregistered", "company.insolvency_changed", "monitor.ended"];

/** The type of a change, and each changed field before and now. */
function Change({ of: event }: EventProps) {
  const { type, changes, source } = event;
  const t = useTexts(texts);
  const { types } = useTexts(changeTexts);
  const { language, formats } = useLanguage();
  const isBad = BAD.includes(type);
  return (
    <Stack gap="xs" align="stretch">
      <Group>
        <Badge color={isBad ? "yellow" : "sea"} className={`badge ${isBad ? "ending" : "live"}`}>
          {types[type]}
        </Badge>
      </Group>
      {changedFields(changes, language, formats).map(({ field, previous, current }) => (
        <div key={field} className="change">
          <Text size="sm" fw={600}>
            {field}
          </Text>
          <Facts
            facts={[
              [t.before, linesOf(previous)],
              [t.now, linesOf(current)],
            ]}
          />
        </div>
      ))}
      {"isFirstObservation" in event ? <MutedText size="xs">{t.firstLook}</MutedText> : null}
      {source === undefined ? null : (
        <MutedText size="xs">
          {t.fromSource(sourceName(source.kvk, language), formats.day(source.cachedAt))}
        </MutedText>
      )}
    </Stack>
  );
}

function linesOf(lines: readonly string[]): ReactNode {
  return lines.length === 0 ? "–" : lines.map((line) => <div key={line}>{line}</div>);
}
