import { Anchor, Code, Table, Title, type TitleOrder } from "@mantine/core";
import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "../../components/Json.tsx";
import { WithOperator } from "../../components/operator.tsx";
import { Examples } from "../../snippets/Examples.tsx";
import { anchorOf, type Block, blocksOf, lineText, spansOf } from "./blocks.ts";

/** Renders Markdown: headings, lists, tables and code. */
export function Markdown({ text }: { readonly text: string }) {
  return <div className="prose">{inOrder(blocksOf(text), shown)}</div>;
}

/** Renders a line of Markdown. */
export function Inline({ text }: { readonly text: string }) {
  return line(spansOf(text));
}

/** Renders parts that never move, so each has its position as its key. */
function inOrder<T>(parts: readonly T[], show: (part: T, at: number) => ReactNode): ReactNode {
  return [...parts.entries()].map(([at, part]) => <Fragment key={at}>{show(part, at)}</Fragment>);
}

function line(tokens: readonly Token[]): ReactNode {
  return inOrder(tokens as readonly Block[], shown);
}

function shown(block: Block): ReactNode {
  switch (block.type) {
    case "examples":
      return <Examples of={(language) => block.programs[language]} />;
    case "code":
      return <CodeBlock text={block.text} />;
    case "table":
      return <Cells {...block} />;
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List>
          {inOrder(block.items, ({ tokens }) => (
            <li>{line(tokens)}</li>
          ))}
        </List>
      );
    }
    case "heading":
      return (
        <Title order={block.depth as TitleOrder} id={anchorOf(block.text)}>
          {line(block.tokens)}
        </Title>
      );
    case "paragraph":
      return <p>{line(block.tokens)}</p>;
    case "codespan":
      return <Code>{block.text}</Code>;
    case "strong":
      return <strong>{line(block.tokens)}</strong>;
    case "em":
      return <em>{line(block.tokens)}</em>;
    case "link":
      return (
        <Anchor href={block.href} inherit>
          {lineText([block])}
        </Anchor>
      );
    case "text":
      return block.tokens === undefined ? <WithOperator text={lineText([block])} /> : line(block.tokens);
    default:
      return <WithOperator text={lineText([block])} />;
  }
}

/** On narrow screens its rows are cards, as in every table of the pages (components/cards.css). */
function Cells({ header, rows }: Tokens.Table) {
  const cell = ({ tokens }: Tokens.TableCell, index: number) => (
    <Table.Td data-label={index === 0 ? undefined : header[index]?.text.replaceAll("`", "")}>
      <span>{line(tokens)}</span>
    </Table.Td>
  );
  return (
    <Table className="cards">
      <Table.Thead>
        <Table.Tr>
          {inOrder(header, ({ tokens }) => (
            <Table.Th scope="col">{line(tokens)}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {inOrder(rows, (cells) => (
          <Table.Tr>{inOrder(cells, cell)}</Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
