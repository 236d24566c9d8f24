import { Checkbox, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useTexts } from "../../../../language/language.tsx";
import type { CompanyList } from "../job/companyList.ts";
import { MATCH_FIELDS, type MatchField, type Source, titlesOf } from "../job/source.ts";
import { isEmptyRow } from "../job/table.ts";
import { matchTexts } from "../matchTexts.ts";

/** Shown even if the list has no such column. */
const USUAL: readonly MatchField[] = ["kvkNumber", "name", "street", "houseNumber", "postalCode", "city"];
const FIELDS = [...new Set([...USUAL, ...MATCH_FIELDS])];

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
}

/** Chooses the column of each field of a company. */
export function ColumnPicker({ list, source }: Props) {
  const { plan: t, fields: names } = useTexts(matchTexts);
  const { found, reading, table } = source;
  const { rows } = table;
  const { columns, headRow } = reading;
  const header = found.headRow ?? rows.findIndex((row) => !isEmptyRow(row));
  const isShown = (field: MatchField) => USUAL.includes(field) || found.columns[field] !== undefined;
  const choose = (field: MatchField, value: string) => {
    const { [field]: _before, ...others } = columns;
    // A column serves one field.
    const kept = Object.entries(others).filter(([, column]) => String(column) !== value);
    const chosen = value === "" ? {} : { [field]: Number(value) };
    void list.choose({ ...reading, columns: { ...Object.fromEntries(kept), ...chosen } });
  };
  const options = [{ label: t.noColumn, value: "" }, ...optionsOf(titlesOf(rows, headRow))];
  const select = (field: MatchField) => (
    <NativeSelect
      key={field}
      label={names[field]}
      value={String(columns[field] ?? "")}
      data={options}
      onChange={(event) => choose(field, event.currentTarget.value)}
    />
  );
  return (
    <Stack gap="md" component="fieldset" className="match-columns">
      <Text component="legend" fw={600} size="sm" mb={4}>
        {t.columns}
      </Text>
      <Text size="sm" c="dimmed">
        {t.columnsAbout}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {FIELDS.filter(isShown).map(select)}
      </SimpleGrid>
      <details className="folded">
        <summary>{t.more}</summary>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md" mt="sm">
          {FIELDS.filter((field) => !isShown(field)).map(select)}
        </SimpleGrid>
      </details>
      <Checkbox
        label={t.hasHeader}
        checked={headRow !== undefined}
        onChange={(event) =>
          void list.choose({ ...reading, headRow: event.currentTarget.checked ? header : undefined })
        }
      />
    </Stack>
  );
}

/** Options whose values are their positions. */
export const optionsOf = (labels: readonly string[]) =>
  labels.map((label, index) => ({ label, value: String(index) }));
