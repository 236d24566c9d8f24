import { Box, Table } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { type Source, titlesOf } from "../job/source.ts";
import { type Cell, localText } from "../job/table.ts";
import { texts } from "../texts.ts";

const ROWS = 5;
/** The part of the previous column that stays visible, pixels. */
const PIXELS_BEFORE = 60;

/** The first rows of the list, scrolled to the column with the numbers or names. */
export function FirstRows({ source }: { readonly source: Source }) {
  const t = useTexts(texts).plan;
  const { language } = useLanguage();
  const shownIn = (cell: Cell | undefined) => localText(cell, language === "nl");
  const { table, reading } = source;
  const { columns, headRow } = reading;
  const column = columns.name ?? columns.kvkNumber;
  const used = Object.values(columns);
  const from = (headRow ?? -1) + 1;
  const shown = titlesOf(table.rows, headRow).map((title, at) => ({ title, at }));
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const head = column === undefined ? null : region.current?.querySelector<HTMLElement>("th[data-chosen]");
    if (head) region.current?.scrollTo({ left: head.offsetLeft - PIXELS_BEFORE });
  }, [column]);
  const chosen = (at: number) => (used.includes(at) ? { "data-chosen": true } : {});
  return (
    <Box component="section" ref={region} className="preview" tabIndex={0} aria-label={t.preview}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {shown.map(({ title, at }) => (
              <Table.Th key={at} scope="col" title={title} {...chosen(at)}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Array.from(table.rows.slice(from, from + ROWS).entries(), ([index, row]) => (
            <Table.Tr key={index}>
              {shown.map(({ at }) => (
                <Table.Td key={at} title={shownIn(row[at])} {...chosen(at)}>
                  {shownIn(row[at])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
