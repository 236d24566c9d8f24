import { Box, Table } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTexts } from "../../../language/language.tsx";
import type { Plan } from "./protocol.ts";
import { texts } from "./texts.ts";

/** So many columns are shown, the chosen one among them. */
const SHOWN = 7;
const BEFORE = 2;
/** So much of the column before the chosen one is seen on a phone. */
const PIXELS_BEFORE = 60;

/** The first rows of the list around the column that was chosen. */
export function Preview({ plan: { columns, column, preview } }: { readonly plan: Plan }) {
  const t = useTexts(texts).plan;
  const first = Math.max(0, Math.min((column ?? 0) - BEFORE, columns.length - SHOWN));
  const shown = columns.slice(first, first + SHOWN).map((title, offset) => ({ title, at: first + offset }));
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const head = column === undefined ? null : region.current?.querySelector<HTMLElement>("th[data-chosen]");
    if (head) region.current?.scrollTo({ left: head.offsetLeft - PIXELS_BEFORE });
  }, [column]);
  const chosen = (at: number) => (at === column ? { "data-chosen": true } : {});
  return (
    <Box component="section" ref={region} className="preview" tabIndex={0} aria-label={t.preview}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {shown.map(({ title, at }) => (
              <Table.Th key={at} scope="col" {...chosen(at)}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.map(({ at: row, cells }) => (
            <Table.Tr key={row}>
              {shown.map(({ at }) => (
                <Table.Td key={at} {...chosen(at)}>
                  {cells[at]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
