import { useCallback, useRef, useState } from "react";
import { asFailure, type Failure } from "../api/failure.ts";

export interface Mutation<Values extends readonly unknown[]> {
  /** Runs the action unless it is already running; resolves to whether it succeeded. */
  readonly run: (...values: Values) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly forget: () => void;
}

/** An action of the user: one at a time, with its latest failure. */
export function useMutation<Values extends readonly unknown[]>(
  act: (...values: Values) => Promise<unknown>,
): Mutation<Values> {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const running = useRef(false);
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback(async (...values: Values) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await latest.current(...values);
      return true;
    } catch (error) {
      setFailure(asFailure(error));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  const forget = useCallback(() => setFailure(undefined), []);
  return { run, isBusy, failure, forget };
}
