import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../../../language/language.tsx";
import type { CompanyList } from "../job/companyList.ts";
import { type LookupReading, type Source, titlesOf } from "../job/source.ts";
import { texts } from "../texts.ts";

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
  readonly reading: LookupReading;
}

/** Chooses the column with KVK numbers. */
export function NumberColumn({ list, source, reading }: Props) {
  const t = useTexts(texts).plan;
  const { column, by, headRow } = reading;
  const hints = { name: t.byName, values: t.byValues, reader: undefined, none: t.byNone };
  return (
    <NativeSelect
      label={t.column}
      description={hints[by ?? "none"]}
      value={column === undefined ? "" : String(column)}
      data={[
        ...(column === undefined ? [{ label: t.columnNone, value: "", disabled: true }] : []),
        ...optionsOf(titlesOf(source.table.rows, headRow)),
      ]}
      onChange={(event) =>
        void list.choose({ ...reading, column: Number(event.currentTarget.value), by: "reader" })
      }
    />
  );
}

/** Options whose values are their positions. */
export const optionsOf = (labels: readonly string[]) =>
  labels.map((label, index) => ({ label, value: String(index) }));
