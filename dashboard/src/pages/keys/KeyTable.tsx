import { Badge, Button, Code, Group, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import type { AccountKey } from "../../../../src/contract/accountResources.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly keys: readonly AccountKey[];
  readonly onRoll: (key: AccountKey) => void;
  readonly onRevoke: (key: AccountKey) => void;
}

const COLORS = { live: "sea", ending: "yellow", revoked: "gray" } as const;

/** A table on a wide screen; on a phone every row is a card (styles.css). */
export function KeyTable({ keys, onRoll, onRevoke }: Props) {
  const t = useTexts(texts);
  const { number, day, moment } = useLanguage().formats;
  const { columns } = t;
  return (
    <Table verticalSpacing="md" className="cards" highlightOnHover={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{columns.key}</Table.Th>
          <Table.Th scope="col">{columns.state}</Table.Th>
          <Table.Th scope="col">{columns.created}</Table.Th>
          <Table.Th scope="col">{columns.lastUsed}</Table.Th>
          <Table.Th scope="col" className="number">
            {columns.requests}
          </Table.Th>
          <Table.Th scope="col">
            <VisuallyHidden>{columns.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Table.Tr key={key.id} data-testid={`key-${key.name}`} data-state={key.state}>
            <Table.Td>
              <Stack gap={4}>
                <Text fw={600} className="breaks">
                  {key.name}
                </Text>
                <Code className="shown-key">
                  {key.prefix}…{key.lastFour}
                </Code>
              </Stack>
            </Table.Td>
            <Table.Td data-label={columns.state}>
              <Stack gap={2} align="flex-start">
                <Badge color={COLORS[key.state]} variant="light" tt="none" className={`badge ${key.state}`}>
                  {t.states[key.state]}
                </Badge>
                <Text size="xs" c="dimmed">
                  {key.state === "ending" && key.endsAt !== undefined ? t.until(moment(key.endsAt)) : null}
                  {key.state === "revoked" && key.revokedAt !== undefined
                    ? t.since(moment(key.revokedAt))
                    : null}
                </Text>
              </Stack>
            </Table.Td>
            <Table.Td data-label={columns.created}>{day(key.createdAt)}</Table.Td>
            <Table.Td data-label={columns.lastUsed}>
              {key.lastUsedOn === undefined ? t.never : day(key.lastUsedOn)}
            </Table.Td>
            <Table.Td data-label={columns.requests} className="number">
              {number(key.requests)}
            </Table.Td>
            <Table.Td>
              {key.state === "live" ? (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`${t.roll}: ${key.name}`}
                    onClick={() => onRoll(key)}
                  >
                    {t.roll}
                  </Button>
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
              ) : key.state === "ending" ? (
                <Group justify="flex-end">
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
              ) : null}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
