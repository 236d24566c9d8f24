import { Anchor, Code, Table, Title } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "../../components/Json.tsx";
import { WithOperator } from "../../components/operator.tsx";
import { Examples } from "../../snippets/Examples.tsx";
import { type Block, blocksOf, spansOf } from "./blocks.ts";

/** Renders Markdown: headings, lists, tables and code. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      {blocksOf(text).map((block) => (
        <Fragment key={block.at}>{shown(block)}</Fragment>
      ))}
    </div>
  );
}

function shown(block: Block): ReactNode {
  if (block.kind === "table") return <Cells {...block} />;
  if (block.kind === "examples") return <Examples of={(language) => block.programs[language]} />;
  if (block.kind === "code") return <CodeBlock text={block.text} />;
  if (block.kind === "list") {
    const List = block.isOrdered ? "ol" : "ul";
    const items = block.items.map((item) => (
      <li key={item}>
        <Inline text={item} />
      </li>
    ));
    return <List>{items}</List>;
  }
  const line = <Inline text={block.text} />;
  if (block.kind === "paragraph") return <p>{line}</p>;
  return (
    <Title order={block.level} id={block.anchor}>
      {line}
    </Title>
  );
}

/** On narrow screens its rows are cards, as in every table of the pages (components/cards.css). */
function Cells({ head, rows }: Pick<Extract<Block, { kind: "table" }>, "head" | "rows">) {
  return (
    <Table className="cards">
      <Table.Thead>
        <Table.Tr>
          {head.map((title) => (
            <Table.Th key={title} scope="col">
              <Inline text={title} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.join("|")}>
            {row.map((cell, index) => (
              <Table.Td
                key={head[index]}
                data-label={index === 0 ? undefined : head[index]?.replaceAll("`", "")}
              >
                <span>
                  <Inline text={cell} />
                </span>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function Inline({ text }: { readonly text: string }) {
  return spansOf(text).map((span) => {
    const key = span.at;
    if (span.kind === "code") return <Code key={key}>{span.text}</Code>;
    if (span.kind === "bold") return <strong key={key}>{span.text}</strong>;
    if (span.kind === "link")
      return (
        <Anchor key={key} href={span.href} inherit>
          {span.text}
        </Anchor>
      );
    return <WithOperator key={key} text={span.text} />;
  });
}
