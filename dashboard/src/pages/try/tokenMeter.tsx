import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import type { Operation } from "../../../../src/contract/prices.ts";
import { readPlans } from "../../api/account.ts";
import type { Call, Cost } from "../../api/publicApi.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

interface TokenMeter {
  readonly spent: number;
  readonly remaining: number | undefined;
  /** Counts what something cost. */
  readonly add: (cost: Cost) => void;
  /** Counts what a call cost; gives the call back. */
  readonly count: <T>(call: Call<T>) => Call<T>;
  /** What an operation costs, in words; nothing before the prices are known. */
  readonly priceOf: (operation: Operation) => string | undefined;
  /** The same for so many of it. */
  readonly priceOfMany: (operation: Operation, count: number) => string | undefined;
}

const Context = createContext<TokenMeter | undefined>(undefined);

/** Keeps count of what the tries cost. */
export function TokenMeterProvider({ children }: { readonly children: ReactNode }) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { now } = useQuery(readPlans);
  const [spent, setSpent] = useState(0);
  const [remaining, setRemaining] = useState<number>();
  const add = useCallback((cost: Cost) => {
    setSpent((sum) => sum + cost.charged);
    if (cost.remaining !== undefined) setRemaining(cost.remaining);
  }, []);
  const count = useCallback(
    <T,>(call: Call<T>) => {
      add(call.cost);
      return call;
    },
    [add],
  );
  const prices = now.state === "ready" ? now.value.prices : undefined;
  const meter = useMemo(() => {
    const priceOfMany = (operation: Operation, count: number) => {
      const tokens = prices?.find((line) => line.operation === operation)?.tokens;
      if (tokens === undefined) return undefined;
      return tokens * count === 1 ? t.one : t.many(number(tokens * count));
    };
    return {
      spent,
      remaining,
      add,
      count,
      priceOf: (operation: Operation) => priceOfMany(operation, 1),
      priceOfMany,
    };
  }, [spent, remaining, add, count, prices, t, number]);
  return <Context value={meter}>{children}</Context>;
}

/** What the tries on this screen have cost, and what the next one costs. */
export function useTokenMeter(): TokenMeter {
  const meter = useContext(Context);
  if (meter === undefined) throw new Error("wrap it in TokenMeterProvider");
  return meter;
}
