import { Table } from "@mantine/core";

export interface FiguresProps {
  readonly head: readonly string[];
  /** How many columns at the end are figures. */
  readonly figures: number;
  readonly rows: readonly (readonly string[])[];
}

/** Two columns fit everywhere; the rows of more are cards on a phone (styles.css). */
const MAX_ON_A_PHONE = 2;

/** A plain table of words and figures. The first cell of a row names it. */
export function Figures({ head, figures, rows }: FiguresProps) {
  const classOf = (index: number) => (index >= head.length - figures ? "number" : "word");
  return (
    <div className="cards-box">
      <Table className={head.length > MAX_ON_A_PHONE ? "cards" : "plain"}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name, index) => (
              <Table.Th key={name} scope="col" className={classOf(index)}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.join("\t")}>
              {row.map((cell, index) => (
                <Table.Td
                  key={head[index]}
                  className={classOf(index)}
                  data-label={index === 0 ? undefined : head[index]}
                >
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
