import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

interface Props {
  readonly label: string;
  readonly children: ReactNode;
}

/** Tabs in one row, which scrolls when it is too long (styles.css) and keeps the chosen tab visible. */
export function TabRow({ label, children }: Props) {
  const row = useRef<HTMLDivElement>(null);
  // After each render, as another tab may be chosen or a badge may appear. The observer calls back at once.
  useEffect(() => {
    if (row.current === null) return;
    const width = new ResizeObserver(([entry]) => entry && showChosen(entry.target));
    width.observe(row.current);
    return () => width.disconnect();
  });
  return (
    <Tabs.List ref={row} mb="xl" aria-label={label} className="tab-row">
      {children}
    </Tabs.List>
  );
}

function showChosen(row: Element): void {
  const tab = row.querySelector("[aria-selected=true]")?.getBoundingClientRect();
  if (tab === undefined) return;
  const { left, right } = row.getBoundingClientRect();
  row.scrollLeft += Math.min(0, tab.left - left) + Math.max(0, tab.right - right);
}
