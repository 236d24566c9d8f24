import { Table } from "@mantine/core";

interface Props {
  readonly head: readonly string[];
  /** How many columns at the end are figures. */
  readonly figures: number;
  readonly rows: readonly (readonly string[])[];
}

/** A plain table of words and figures. The first cell of a row names it. */
export function Figures({ head, figures, rows }: Props) {
  const classOf = (index: number) => (index >= head.length - figures ? "number" : "word");
  return (
    <Table>
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
              <Table.Td key={head[index]} className={classOf(index)}>
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
