import {
  Anchor,
  Badge,
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ChangeEvent, useMemo, useState } from "react";
import type { Monitor, MonitorSettings } from "../../../../src/contract/monitors.ts";
import { known } from "../../../../src/lib/values.ts";
import { addMonitors, changeMonitor, removeMonitor } from "../../api/monitors.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Pages } from "../../components/Pages.tsx";
import { Section } from "../../components/Section.tsx";
import { saveTable } from "../../components/saveFile.ts";
import { useUndoable } from "../../components/undoable.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { type Query, useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { AddCompany } from "./AddCompany.tsx";
import { changeTexts } from "./changeTexts.ts";
import { EditMonitor } from "./EditMonitor.tsx";
import { chosenOf, type MonitorFilter, nameOf, readAllMonitors } from "./monitorList.ts";
import { Sources, useCoverage } from "./Sources.tsx";
import { rowsOfMonitors } from "./tables.ts";
import { texts } from "./texts.ts";

/** A full page would take several phone screens. */
const CARDS_AT_ONCE = 10;
const PAGE_SIZE = 25;
const ALL: MonitorFilter = { typed: "", shown: "all", order: "newest", page: 1 };

interface Props {
  readonly settings: Query<MonitorSettings>;
}

/** Adds, lists, changes and removes monitors. */
export function Companies({ settings }: Props) {
  const t = useTexts(texts);
  const { language, formats } = useLanguage();
  const { number } = formats;
  const coverage = useCoverage(settings.value);
  const monitors = useQuery(readAllMonitors);
  const [choice, setChoice] = useState(ALL);
  const change = (changed: Partial<MonitorFilter>) => setChoice({ ...choice, page: 1, ...changed });
  const chosen = useMemo(() => chosenOf(monitors.value?.monitors ?? [], choice), [monitors.value, choice]);
  const page = Math.min(choice.page, Math.ceil(chosen.length / PAGE_SIZE) || 1);
  const { value: figures } = settings;
  // Kept while the dialog closes, so that its content stays.
  const [edited, setEdited] = useState<Monitor>();
  const [isEditing, { open, close }] = useDisclosure();
  const reload = () => {
    monitors.reload();
    settings.reload();
  };
  const { run, messages } = useUndoable(({ code }) => (code === "NOT_FOUND" ? t.gone : undefined));
  const remove = async ({ id }: Monitor) => {
    await removeMonitor(id);
    replace(id);
    settings.reload();
  };
  const addBack = async ({ kvkNumber, events, metadata, webhook }: Monitor) => {
    const fields = { ...known("events", events), ...known("metadata", metadata) };
    await addMonitors([kvkNumber], { ...fields, ...known("webhook", webhook?.url) });
    reload();
  };
  /** Replaces or removes one monitor without loading all. */
  const replace = (id: string, changed?: Monitor) => {
    if (monitors.value === undefined) return;
    const kept = monitors.value.monitors.flatMap((one) => (one.id === id ? (changed ?? []) : one));
    monitors.take({ ...monitors.value, monitors: kept });
  };
  return (
    <>
      <AddCompany onAdded={reload} />
      <Section
        title={t.list}
        about={figures === undefined ? "\u00a0" : t.count(number(figures.monitors), number(figures.limit))}
        aside={
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={16} />}
            disabled={chosen.length === 0}
            onClick={() => saveTable(t.list, rowsOfMonitors(chosen, language), language)}
          >
            {t.csv}
          </Button>
        }
      >
        {messages}
        {figures === undefined || figures.paused === 0 || figures.monitors <= figures.limit ? null : (
          <Notice tone="warning">
            {t.paused(number(figures.paused))}{" "}
            <Anchor href={linkTo("plan")} inherit>
              {t.plans}
            </Anchor>
          </Notice>
        )}
        <Loaded query={monitors} height={320}>
          {({ monitors: { length }, isCut }) =>
            length === 0 ? (
              <EmptyState icon="bell">
                {t.none} {coverage.whenSeen}
              </EmptyState>
            ) : (
              <Stack gap="md">
                {isCut ? <Notice tone="info">{t.cut(number(length))}</Notice> : null}
                <Chooser of={choice} onChange={change} />
                <MutedText size="sm" role="status">
                  {t.shown(number(chosen.length), number(length))}
                </MutedText>
                <MonitorTable
                  key={JSON.stringify(choice)}
                  monitors={chosen.slice(PAGE_SIZE * (page - 1), PAGE_SIZE * page)}
                  onEdit={(monitor) => {
                    setEdited(monitor);
                    open();
                  }}
                  onRemove={(monitor) => {
                    const message = t.removed(nameOf(monitor));
                    void run(() => remove(monitor), { message, undo: () => addBack(monitor) });
                  }}
                />
                <Pages
                  label={t.pages}
                  total={chosen.length}
                  pageSize={PAGE_SIZE}
                  page={page}
                  onChange={(next) => change({ page: next })}
                />
              </Stack>
            )
          }
        </Loaded>
        <Dialog
          title={t.editTitle(edited === undefined ? "" : nameOf(edited))}
          isOpen={isEditing}
          onClose={close}
        >
          {edited === undefined ? null : (
            <EditMonitor
              monitor={edited}
              nameOf={coverage.nameOf}
              onClose={close}
              onSave={async (fields) => {
                const { id, company } = edited;
                replace(id, { ...(await changeMonitor(id, fields)), ...known("company", company) });
                close();
              }}
            />
          )}
        </Dialog>
      </Section>
      <Sources settings={settings} />
    </>
  );
}

interface ChooserProps {
  readonly of: MonitorFilter;
  readonly onChange: (changed: Partial<MonitorFilter>) => void;
}

/** Searches, filters and sorts the list. */
function Chooser({ of: { typed, shown, order }, onChange }: ChooserProps) {
  const t = useTexts(texts);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      <TextInput
        type="search"
        label={t.find}
        value={typed}
        onChange={(event) => onChange({ typed: event.currentTarget.value })}
        autoComplete="off"
      />
      <NativeSelect label={t.show} value={shown} {...options(t.showing, (key) => onChange({ shown: key }))} />
      <NativeSelect label={t.order} value={order} {...options(t.orders, (key) => onChange({ order: key }))} />
    </SimpleGrid>
  );
}

/** The fields of a select whose values are the names of its texts. */
function options<Key extends string>(names: Readonly<Record<Key, string>>, take: (key: Key) => void) {
  const keys = Object.keys(names) as Key[];
  return {
    data: keys.map((key) => ({ value: key, label: names[key] })),
    onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => take(currentTarget.value as Key),
  };
}

interface TableProps {
  readonly monitors: readonly Monitor[];
  readonly onEdit: (monitor: Monitor) => void;
  readonly onRemove: (monitor: Monitor) => void;
}

function MonitorTable({ monitors, onEdit, onRemove }: TableProps) {
  const t = useTexts(texts);
  const { columns } = t;
  return (
    <CardTable
      spacing="md"
      rows={monitors}
      cardsAtOnce={CARDS_AT_ONCE}
      nameOf={({ id, kvkNumber, status }) => ({ key: id, testId: `monitor-${kvkNumber}`, state: status })}
      columns={[
        { title: columns.company, cell: (monitor) => <Company of={monitor} />, speaksForItself: true },
        { title: columns.status, cell: (monitor) => <CompanyState of={monitor} /> },
        { title: columns.monitor, cell: (monitor) => <MonitorState of={monitor} /> },
        { title: columns.events, cell: (monitor) => <Reports of={monitor} /> },
        {
          title: columns.actions,
          cell: (monitor) => (
            <Group gap="xs" wrap="nowrap">
              {(
                [
                  [t.edit, onEdit],
                  [t.remove, onRemove],
                ] as const
              ).map(([label, act]) => (
                <Button
                  key={label}
                  size="xs"
                  variant="default"
                  aria-label={`${label}: ${nameOf(monitor)}`}
                  onClick={() => act(monitor)}
                >
                  {label}
                </Button>
              ))}
            </Group>
          ),
          speaksForItself: true,
          hasHiddenTitle: true,
        },
      ]}
    />
  );
}

interface MonitorProps {
  readonly of: Monitor;
}

function Company({ of: monitor }: MonitorProps) {
  const t = useTexts(texts);
  const { kvkNumber, company } = monitor;
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600} className="breaks">
        {nameOf(monitor)}
      </Text>
      {nameOf(monitor) === kvkNumber ? null : (
        <MutedText size="xs">{[t.kvk(kvkNumber), company?.city].filter(Boolean).join(" · ")}</MutedText>
      )}
      <Anchor
        href={linkTo("monitors", "events", kvkNumber)}
        size="xs"
        aria-label={`${t.changes}: ${nameOf(monitor)}`}
      >
        {t.changes}
      </Anchor>
    </Stack>
  );
}

function CompanyState({ of: { company } }: MonitorProps) {
  const { active, ended } = useTexts(changeTexts);
  if (company === undefined) return "–";
  const { isActive } = company;
  return (
    <Badge color={isActive ? "sea" : "yellow"} className={`badge ${isActive ? "live" : "ending"}`}>
      {isActive ? active : ended}
    </Badge>
  );
}

/** Whether changes are reported, since when, and whether any source shows them. */
function MonitorState({ of: { status, reason, createdAt, watchedBy } }: MonitorProps) {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  const isPaused = status === "paused";
  return (
    <Stack gap={2} align="flex-start">
      <span>{t.states[status]}</span>
      <MutedText size="xs">
        {isPaused && reason !== undefined ? t.reasons[reason] : t.since(day(createdAt))}
      </MutedText>
      {watchedBy.length > 0 ? null : (
        <Badge color="yellow" className="badge ending">
          {t.unwatched}
        </Badge>
      )}
    </Stack>
  );
}

/** The changes that a monitor reports, and where. */
function Reports({ of: { events, webhook, notReported = [] } }: MonitorProps) {
  const t = useTexts(texts);
  const { types } = useTexts(changeTexts);
  return (
    <Stack gap={2} align="flex-start">
      <span>
        {events
          ?.map((type) => (notReported.includes(type) ? t.noSource(types[type]) : types[type]))
          .join(", ") ?? t.allEvents}
      </span>
      {webhook === undefined ? null : (
        <MutedText size="xs" className="breaks">
          {webhook.url}
        </MutedText>
      )}
      {webhook?.disabledAt === undefined ? null : (
        <Badge color="red" className="badge down">
          {t.disabled}
        </Badge>
      )}
    </Stack>
  );
}
