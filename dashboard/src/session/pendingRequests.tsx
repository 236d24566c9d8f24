import { Badge, VisuallyHidden } from "@mantine/core";
import { createContext, type ReactNode, useContext } from "react";
import { readPlanRequests } from "../api/operator.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { type Query, useQuery } from "../queries/useQuery.ts";

const texts = bilingual({
  pending: ["Pending requests:", "Openstaande aanvragen:"],
  unknown: [
    "The number of pending requests could not be loaded",
    "Het aantal openstaande aanvragen kon niet worden geladen",
  ],
});

const Context = createContext<Query<number> | undefined>(undefined);

interface Props {
  /** The count is reloaded with each screen. */
  readonly screen: string;
  readonly children: ReactNode;
}

/** Provides the number of pending plan requests, for operators only. */
export function PendingRequests({ screen, children }: Props) {
  const waiting = useQuery(() => readPlanRequests(1).then(({ total }) => total), screen);
  return <Context value={waiting}>{children}</Context>;
}

/** Returns the number of pending plan requests; undefined for others than operators. */
export function usePendingRequests(): Query<number> | undefined {
  return useContext(Context);
}

/** Returns the number as a badge; undefined if there are none, so that no space is reserved. */
export function usePendingBadge(): ReactNode {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const now = usePendingRequests()?.now;
  if (now === undefined || now.state === "loading" || (now.state === "ready" && now.value === 0))
    return undefined;
  const isKnown = now.state === "ready";
  return (
    <Badge color={isKnown ? "sea" : "gray"} className="badge live" data-testid="waiting">
      <VisuallyHidden>{isKnown ? t.pending : t.unknown}</VisuallyHidden>{" "}
      <span aria-hidden={!isKnown}>{isKnown ? number(now.value) : "?"}</span>
    </Badge>
  );
}
