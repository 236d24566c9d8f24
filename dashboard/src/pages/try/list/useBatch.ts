import { useCallback, useRef, useState } from "react";
import { asFailure, type Failure } from "../../../api/failure.ts";
import { type Batch, batch } from "../../../api/publicApi.ts";
import { useTokenMeter } from "../tokenMeter.tsx";

/** The API takes so many numbers in a call. */
const CHUNK = 100;
const SECOND_MS = 1_000;

export interface Progress {
  readonly state: "idle" | "running" | "stopped" | "done";
  readonly asked: readonly string[];
  readonly done: number;
  readonly result: Batch;
  /** Seconds until the next call, while the rate limit makes it wait. */
  readonly waitSeconds: number;
  readonly making: Failure | undefined;
  readonly answered: Failure | undefined;
}

const IDLE: Progress = {
  state: "idle",
  asked: [],
  done: 0,
  result: { results: [], failed: [], tokensUsed: 0 },
  waitSeconds: 0,
  making: undefined,
  answered: undefined,
};

/** Sends a list in parts, waits where the rate limit says so, and keeps what was done when it must stop. */
export function useBatch() {
  const { count } = useTokenMeter();
  const [progress, setProgress] = useState(IDLE);
  const run = useRef({ isWanted: false });
  /** Starts no further part. The one that is under way is paid for, so its answer is kept. */
  const stop = useCallback(() => {
    run.current.isWanted = false;
  }, []);
  const start = useCallback(
    async (asked: readonly string[], enrich: boolean) => {
      run.current.isWanted = false;
      const mine = { isWanted: true };
      run.current = mine;
      const update = (more: Partial<Progress>) => {
        if (run.current === mine) setProgress((now) => ({ ...now, ...more }));
      };
      setProgress({ ...IDLE, state: "running", asked });
      let done = 0;
      let result = IDLE.result;
      while (done < asked.length && mine.isWanted) {
        try {
          const part = asked.slice(done, done + CHUNK);
          const { outcome } = count(await batch(part, enrich));
          if ("body" in outcome) {
            done += part.length;
            result = joined(result, outcome.body);
            update({ done, result });
          } else {
            const { failure } = outcome;
            if (failure.code !== "RATE_LIMIT_EXCEEDED")
              return update({ state: "stopped", answered: failure });
            const isWanted = () => mine.isWanted;
            await waited(failure.retryAfterSeconds ?? 1, isWanted, (waitSeconds) => update({ waitSeconds }));
          }
        } catch (error) {
          return update({ state: "stopped", making: asFailure(error) });
        }
      }
      update({ state: done < asked.length ? "stopped" : "done" });
    },
    [count],
  );
  return { progress, start, stop };
}

function joined(first: Batch, second: Batch): Batch {
  return {
    results: [...first.results, ...second.results],
    failed: [...first.failed, ...second.failed],
    tokensUsed: first.tokensUsed + second.tokensUsed,
  };
}

async function waited(seconds: number, isWanted: () => boolean, tell: (left: number) => void): Promise<void> {
  for (let left = Math.max(1, seconds); left > 0 && isWanted(); left -= 1) {
    tell(left);
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
  }
  tell(0);
}
