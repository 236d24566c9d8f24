import { useEffect, useState } from "react";

const TICK_MS = 250;

/** Returns the whole seconds until a time (Unix milliseconds), updated as they pass; 0 when it is over or undefined. */
export function useSecondsUntil(moment: number | undefined): number {
  const [, tick] = useState(0);
  const isOver = moment === undefined || moment <= Date.now();
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  return moment === undefined ? 0 : Math.max(0, Math.ceil((moment - Date.now()) / 1_000));
}
