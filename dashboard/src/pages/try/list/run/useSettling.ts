import { useState } from "react";
import { type Choice, matchIn } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import type { ListRow, Source } from "../job/source.ts";

interface Step {
  readonly key: string;
  readonly before: Choice | undefined;
}

/** The rows that a person decides about, one after the other. */
export interface Settling {
  /** The row to decide about now; undefined when every row is decided. */
  readonly row: ListRow | undefined;
  readonly choice: Choice | undefined;
  /** Whether only the first row is decided about, because it was decided before. */
  readonly isChange: boolean;
  readonly canUndo: boolean;
  readonly settle: (choice: Choice) => void;
  /** Goes to the next or the previous row, whether decided or not. */
  readonly move: (by: 1 | -1) => void;
  readonly undo: () => void;
}

/**
 * Settles the rows that are as unsure as the first: either ambiguous rows, or rows without a match.
 * @param first its key
 */
export function useSettling(list: CompanyList, { items }: Source, first: string): Settling {
  const [current, setCurrent] = useState<string | undefined>(first);
  const [history, setHistory] = useState<readonly Step[]>([]);
  const decision = decisionOf(list, first);
  const [isChange] = useState(
    () => list.choices.has(first) || (decision !== "ambiguous" && decision !== "none"),
  );
  const queue = items.rows.filter(
    ({ key = "" }) => key === first || (!isChange && decisionOf(list, key) === decision),
  );
  const index = queue.findIndex(({ key }) => key === current);
  const go = (to: number) => setCurrent(queue[(to + queue.length) % queue.length]?.key);
  const row = queue[index];
  return {
    row,
    choice: list.choices.get(row?.key ?? ""),
    isChange,
    canUndo: history.length > 0,
    settle: (choice) => {
      const key = row?.key;
      if (key === undefined) return;
      setHistory([...history, { key, before: list.choices.get(key) }]);
      list.settle(key, choice);
      const following = [...queue.slice(index + 1), ...queue.slice(0, index)];
      setCurrent(following.find(({ key: other = "" }) => !list.choices.has(other))?.key);
    },
    move: (by) => go(index + by),
    undo: () => {
      const last = history.at(-1);
      if (last === undefined) return;
      list.settle(last.key, last.before);
      setHistory(history.slice(0, -1));
      setCurrent(last.key);
    },
  };
}

function decisionOf(list: CompanyList, key: string) {
  return matchIn(list.answers.get(key))?.decision;
}
