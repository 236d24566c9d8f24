import { Button, Table, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual({ more: ["Show more", "Meer tonen"] });

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Has no label on a card: the name of the row, or its buttons. */
  readonly speaksForItself?: boolean;
  /** Shows the title to screen readers only. */
  readonly hasHiddenTitle?: boolean;
}

/** Identifies a row; `testId` and `state` become data attributes. */
interface RowName {
  readonly key: string;
  readonly testId?: string;
  readonly state?: string;
}

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => RowName;
  readonly spacing?: "md";
  /** Maximum number of cards shown at once; all by default. */
  readonly cardsAtOnce?: number;
}

/** Two columns fit on a phone. */
const MAX_ON_A_PHONE = 2;

/** A table on a wide screen; on a phone, each row of more than two cells is a card (cards.css). */
export function CardTable<Row>({ columns, rows, nameOf, spacing, cardsAtOnce = rows.length }: Props<Row>) {
  const t = useTexts(texts);
  const [extraBatches, setExtraBatches] = useState(0);
  const shown = (extraBatches + 1) * cardsAtOnce;
  const body = useRef<HTMLTableSectionElement>(null);
  // The button moves or disappears: the focus goes to the first new card.
  useEffect(() => {
    const first = body.current?.children.item(extraBatches * cardsAtOnce);
    if (extraBatches > 0 && first instanceof HTMLElement) first.focus();
  }, [extraBatches, cardsAtOnce]);
  return (
    <div className="cards-box">
      <Table
        className={columns.length > MAX_ON_A_PHONE ? "cards" : "plain"}
        {...(spacing !== undefined && { verticalSpacing: spacing })}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, isNumber, hasHiddenTitle }) => (
              <Table.Th key={title} scope="col" {...(isNumber && { className: "number" })}>
                {hasHiddenTitle ? <VisuallyHidden>{title}</VisuallyHidden> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {rows.map((row, index) => {
            const { key, testId, state } = nameOf(row);
            return (
              <Table.Tr
                key={key}
                data-testid={testId}
                data-state={state}
                {...(index >= cardsAtOnce && { tabIndex: -1 })}
                {...(index >= shown && { "data-later": true })}
              >
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
      {shown >= rows.length ? null : (
        <Button
          variant="default"
          size="xs"
          mt="sm"
          className="more-cards"
          onClick={() => setExtraBatches(extraBatches + 1)}
        >
          {t.more}
        </Button>
      )}
    </div>
  );
}
