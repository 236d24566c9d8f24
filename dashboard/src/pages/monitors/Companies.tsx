import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { Monitor, MonitorSettings } from "../../../../src/contract/monitors.ts";
import { known } from "../../../../src/lib/values.ts";
import { addMonitors, changeMonitor, readMonitors, removeMonitor } from "../../api/monitors.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { CursorPages, useCursors } from "../../components/CursorPages.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { Undo } from "../../components/Undo.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { type Query, useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { AddCompany } from "./AddCompany.tsx";
import { changeTexts } from "./changeTexts.ts";
import { EditMonitor } from "./EditMonitor.tsx";
import { texts } from "./texts.ts";

/** A full page would take several phone screens. */
const CARDS_AT_ONCE = 10;

interface Props {
  readonly settings: Query<MonitorSettings>;
}

/** Adds, lists, changes and removes monitors. */
export function Companies({ settings }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const cursors = useCursors();
  const monitors = useQuery(() => readMonitors(cursors.cursor), cursors.cursor);
  const { value: figures } = settings;
  const [removed, setRemoved] = useState<Monitor>();
  // Kept while the dialog closes, so that its content stays.
  const [edited, setEdited] = useState<Monitor>();
  const [isEditing, { open, close }] = useDisclosure();
  const reload = () => {
    monitors.reload();
    settings.reload();
  };
  const removing = useMutation(async (monitor: Monitor) => {
    await removeMonitor(monitor.id);
    setRemoved(monitor);
    reload();
  });
  const undoing = useMutation(async ({ kvkNumber, events, metadata, webhook }: Monitor) => {
    await addMonitors([kvkNumber], {
      ...known("events", events),
      ...known("metadata", metadata),
      ...known("webhook", webhook?.url),
    });
    setRemoved(undefined);
    reload();
  });
  const failure = removing.failure ?? undoing.failure;
  return (
    <>
      <AddCompany onAdded={reload} />
      <Section
        title={t.list}
        about={figures === undefined ? "\u00a0" : t.count(number(figures.monitors), number(figures.limit))}
      >
        <Problem failure={failure} text={failure?.code === "NOT_FOUND" ? t.gone : undefined} />
        {removed === undefined ? null : (
          <Undo
            key={removed.id}
            message={t.removed(nameOf(removed))}
            isBusy={undoing.isBusy}
            onUndo={() => void undoing.run(removed)}
            onOver={() => setRemoved(undefined)}
          />
        )}
        {figures === undefined || figures.paused === 0 || figures.monitors <= figures.limit ? null : (
          <Notice tone="warning">
            {t.paused(number(figures.paused))}{" "}
            <Anchor href={linkTo("plan")} inherit>
              {t.plans}
            </Anchor>
          </Notice>
        )}
        <Loaded of={monitors} height={320}>
          {(page) =>
            page.monitors.length === 0 && cursors.isFirst ? (
              <EmptyState icon="bell">{t.none}</EmptyState>
            ) : (
              <Stack gap="md">
                <MonitorTable
                  key={cursors.cursor}
                  monitors={page.monitors}
                  onEdit={(monitor) => {
                    setEdited(monitor);
                    open();
                  }}
                  onRemove={(monitor) => void removing.run(monitor)}
                />
                <CursorPages label={t.pages} of={cursors} next={page.next} />
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
              of={edited}
              onClose={close}
              onSave={async (fields) => {
                await changeMonitor(edited.id, fields);
                close();
                reload();
              }}
            />
          )}
        </Dialog>
      </Section>
    </>
  );
}

function nameOf({ metadata, kvkNumber }: Monitor): string {
  return metadata?.name ?? kvkNumber;
}

interface TableProps {
  readonly monitors: readonly Monitor[];
  readonly onEdit: (monitor: Monitor) => void;
  readonly onRemove: (monitor: Monitor) => void;
}

function MonitorTable({ monitors, onEdit, onRemove }: TableProps) {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  const { columns } = t;
  return (
    <CardTable
      spacing="md"
      rows={monitors}
      cardsAtOnce={CARDS_AT_ONCE}
      nameOf={({ id, kvkNumber, status }) => ({ key: id, testId: `monitor-${kvkNumber}`, state: status })}
      columns={[
        { title: columns.company, cell: (monitor) => <Company of={monitor} />, speaksForItself: true },
        { title: columns.status, cell: (monitor) => <Status of={monitor} /> },
        { title: columns.since, cell: ({ createdAt }) => day(createdAt) },
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
  const { kvkNumber, metadata } = monitor;
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600} className="breaks">
        {nameOf(monitor)}
      </Text>
      {metadata?.name === undefined ? null : <MutedText size="xs">{t.kvk(kvkNumber)}</MutedText>}
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

function Status({ of: { status, reason } }: MonitorProps) {
  const t = useTexts(texts);
  const isActive = status === "active";
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={isActive ? "sea" : "yellow"} className={`badge ${isActive ? "live" : "ending"}`}>
        {isActive ? t.active : t.isPaused}
      </Badge>
      {reason === undefined ? null : <MutedText size="xs">{t.reasons[reason]}</MutedText>}
    </Stack>
  );
}

/** The changes that a monitor reports, and where. */
function Reports({ of: { events, webhook } }: MonitorProps) {
  const t = useTexts(texts);
  const { types } = useTexts(changeTexts);
  return (
    <Stack gap={2} align="flex-start">
      <span>{events?.map((type) => types[type]).join(", ") ?? t.allEvents}</span>
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
