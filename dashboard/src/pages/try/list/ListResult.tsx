import { Button, Group, Stack, Table, Text } from "@mantine/core";
import type { Batch } from "../../../api/publicApi.ts";
import { Icon } from "../../../components/Icon.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { resultCsv } from "./resultCsv.ts";
import { saveFile } from "./saveFile.ts";
import { texts } from "./texts.ts";

/** A page of rows says enough; the file has the rest. */
const SHOWN = 20;

interface Props {
  readonly asked: readonly string[];
  readonly result: Batch;
}

/** What came of a list: the first rows, and all of it as a file. */
export function ListResult({ asked, result }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { results, failed } = result;
  const { columns, reasons } = t;
  const shownFailed = failed.slice(0, Math.max(0, SHOWN - results.length));
  const reasonOf = (code: string) =>
    code === "NOT_FOUND" || code === "INVALID_KVK_NUMBER" ? reasons[code] : reasons.other;
  return (
    <Stack gap="md" data-testid="result">
      <Group justify="space-between">
        <Text role="status">{t.finished(number(results.length), number(failed.length))}</Text>
        <Button
          leftSection={<Icon name="download" size={18} />}
          onClick={() => saveFile("opzoek.csv", resultCsv(asked, result))}
        >
          {t.download}
        </Button>
      </Group>
      {asked.length > SHOWN ? (
        <Text size="sm" c="dimmed">
          {t.first(number(SHOWN))}
        </Text>
      ) : null}
      <Table className="cards" aria-label={t.result}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columns.kvkNumber}</Table.Th>
            <Table.Th scope="col">{columns.name}</Table.Th>
            <Table.Th scope="col">{columns.place}</Table.Th>
            <Table.Th scope="col">{columns.state}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.slice(0, SHOWN).map(({ kvkNumber, name, address, isActive }) => (
            <Table.Tr key={kvkNumber}>
              <Table.Td data-label={columns.kvkNumber}>{kvkNumber}</Table.Td>
              <Table.Td data-label={columns.name}>{name}</Table.Td>
              <Table.Td data-label={columns.place}>{address.city}</Table.Td>
              <Table.Td data-label={columns.state}>{isActive ? t.active : t.ended}</Table.Td>
            </Table.Tr>
          ))}
          {shownFailed.map(({ kvkNumber, error }) => (
            <Table.Tr key={kvkNumber}>
              <Table.Td data-label={columns.kvkNumber}>{kvkNumber}</Table.Td>
              <Table.Td colSpan={3}>{reasonOf(error.code)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
