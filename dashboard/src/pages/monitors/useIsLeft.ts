import { useCallback, useEffect, useRef } from "react";

/** Returns a function that says whether the person has left this part of the page. */
export function useIsLeft(): () => boolean {
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  return useCallback(() => isLeft.current, []);
}
