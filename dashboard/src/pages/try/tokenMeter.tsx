import { Text } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { type Operation, PRICES } from "../../../../src/contract/prices.ts";
import type { Call, Cost } from "../../api/publicApi.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface TokenMeter {
  /** Tokens spent on this page. */
  readonly spent: number;
  /** Tokens left this month; undefined before the first call. */
  readonly remaining: number | undefined;
  readonly add: (cost: Cost) => void;
  /** Adds the cost of a call, and returns the call. */
  readonly count: <T>(call: Call<T>) => Call<T>;
}

const Context = createContext<TokenMeter | undefined>(undefined);

export function TokenMeterProvider({ children }: { readonly children: ReactNode }) {
  const [spent, setSpent] = useState(0);
  const [remaining, setRemaining] = useState<number>();
  const add = useCallback((cost: Cost) => {
    setSpent((sum) => sum + cost.charged);
    setRemaining((before) => cost.remaining ?? (before && before - cost.charged));
  }, []);
  const meter = useMemo(() => {
    const count = <T,>(call: Call<T>) => {
      add(call.cost);
      return call;
    };
    return { spent, remaining, add, count };
  }, [spent, remaining, add]);
  return <Context value={meter}>{children}</Context>;
}

export function useTokenMeter(): TokenMeter {
  const meter = useContext(Context);
  if (meter === undefined) throw new Error("wrap it in TokenMeterProvider");
  return meter;
}

/** Writes a number of tokens: `1 token`, `2,000 tokens`. */
export function useTokens(): (count: number) => string {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  return (count) => (count === 1 ? t.one : t.many(number(count)));
}

export function Price({ of }: { readonly of: Operation }) {
  const tokens = useTokens();
  return (
    <Text span size="xs" className="price">
      {tokens(PRICES[of])}
    </Text>
  );
}
