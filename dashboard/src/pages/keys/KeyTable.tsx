import { Badge, Button, Code, Group, Stack, Text } from "@mantine/core";
import type { AccountKey } from "../../../../src/contract/accountResources.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Doing {
  readonly onRoll: (key: AccountKey) => void;
  readonly onRevoke: (key: AccountKey) => void;
}

const COLORS = { live: "sea", ending: "yellow", revoked: "gray" } as const;

/** The keys of an account, with what can be done with each. */
export function KeyTable({ keys, ...doing }: Doing & { readonly keys: readonly AccountKey[] }) {
  const t = useTexts(texts);
  const { number, day } = useLanguage().formats;
  const { columns } = t;
  return (
    <CardTable
      spacing="md"
      rows={keys}
      nameOf={({ id, name, state }) => ({ key: id, testId: `key-${name}`, state })}
      columns={[
        { title: columns.key, cell: (key) => <Name of={key} />, speaksForItself: true },
        { title: columns.state, cell: (key) => <State of={key} /> },
        { title: columns.created, cell: (key) => day(key.createdAt) },
        {
          title: columns.lastUsed,
          cell: (key) => (key.lastUsedOn === undefined ? t.never : day(key.lastUsedOn)),
        },
        { title: columns.requests, cell: (key) => number(key.requests), isNumber: true },
        {
          title: columns.actions,
          cell: (key) => <Actions of={key} {...doing} />,
          speaksForItself: true,
          hasHiddenTitle: true,
        },
      ]}
    />
  );
}

function Name({ of: { name, prefix, lastFour } }: { readonly of: AccountKey }) {
  return (
    <Stack gap={4}>
      <Text fw={600} className="breaks">
        {name}
      </Text>
      <Code className="shown-key">
        {prefix}…{lastFour}
      </Code>
    </Stack>
  );
}

function State({ of: { state, endsAt, revokedAt } }: { readonly of: AccountKey }) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={COLORS[state]} variant="light" tt="none" className={`badge ${state}`}>
        {t.states[state]}
      </Badge>
      <Text size="xs" c="dimmed">
        {state === "ending" && endsAt !== undefined ? t.until(moment(endsAt)) : null}
        {state === "revoked" && revokedAt !== undefined ? t.since(moment(revokedAt)) : null}
      </Text>
    </Stack>
  );
}

function Actions({ of: key, onRoll, onRevoke }: Doing & { readonly of: AccountKey }) {
  const t = useTexts(texts);
  if (key.state === "revoked") return null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {key.state === "live" ? (
        <Button size="xs" variant="default" aria-label={`${t.roll}: ${key.name}`} onClick={() => onRoll(key)}>
          {t.roll}
        </Button>
      ) : null}
      <Button
        size="xs"
        variant="default"
        className="danger"
        aria-label={`${t.revoke}: ${key.name}`}
        onClick={() => onRevoke(key)}
      >
        {t.revoke}
      </Button>
    </Group>
  );
}
