import { Badge, VisuallyHidden } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { readUnread } from "../api/monitors.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { type Query, useQuery } from "../queries/useQuery.ts";

const texts = bilingual({ unread: ["New changes:", "Nieuwe wijzigingen:"] });

const REFRESH_MS = 60_000;

const Context = createContext<Query<number> | undefined>(undefined);

/** Provides the number of events that the page has not shown yet, refreshed every minute while the page is visible. */
export function UnreadEvents({ children }: { readonly children: ReactNode }) {
  const unread = useQuery(() => readUnread().then((read) => read.unread));
  const latest = useRef(unread.reload);
  latest.current = unread.reload;
  useEffect(() => {
    let readAtMs = Date.now();
    const refresh = () => {
      if (document.visibilityState === "hidden" || Date.now() - readAtMs < REFRESH_MS) return;
      readAtMs = Date.now();
      latest.current();
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, []);
  return <Context value={unread}>{children}</Context>;
}

/** Returns the number of unread events, on a member's screen. */
export function useUnread(): Query<number> {
  const unread = useContext(Context);
  if (unread === undefined) throw new Error("only a member's screen has events");
  return unread;
}

/** Returns the number as a badge; undefined if there are none, so that no space is reserved. */
export function useUnreadBadge(): ReactNode {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { value = 0 } = useUnread();
  if (value === 0) return undefined;
  return (
    <Badge className="badge live" data-testid="unread">
      <VisuallyHidden>{t.unread}</VisuallyHidden> {number(value)}
    </Badge>
  );
}
