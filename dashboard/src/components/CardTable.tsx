import { Table, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Stands to the right. */
  readonly isNumber?: boolean;
  /** What the row is about, or what can be done with it: it needs no label where the row is a card. */
  readonly speaksForItself?: boolean;
  /** Only screen readers are told the title. */
  readonly hasHiddenTitle?: boolean;
}

/** What a row is known by; `testId` and `state` stand in the page as data attributes. */
interface RowName {
  readonly key: string;
  readonly testId: string;
  readonly state?: string;
}

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => RowName;
  readonly spacing?: "md";
}

/** A table on a wide screen; on a phone every row is a card (cards.css). */
export function CardTable<Row>({ columns, rows, nameOf, spacing }: Props<Row>) {
  return (
    <div className="cards-box">
      <Table className="cards" {...(spacing !== undefined && { verticalSpacing: spacing })}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, isNumber, hasHiddenTitle }) => (
              <Table.Th key={title} scope="col" {...(isNumber && { className: "number" })}>
                {hasHiddenTitle ? <VisuallyHidden>{title}</VisuallyHidden> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const { key, testId, state } = nameOf(row);
            return (
              <Table.Tr key={key} data-testid={testId} data-state={state}>
                {columns.map(({ title, cell, isNumber, speaksForItself }) => (
                  <Table.Td
                    key={title}
                    {...(isNumber && { className: "number" })}
                    {...(!speaksForItself && { "data-label": title })}
                  >
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}
