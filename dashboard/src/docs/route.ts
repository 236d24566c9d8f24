import { useEffect, useState } from "react";
import { type DocsRoute, readRoute } from "./address.ts";

/** Follows the address. */
export function useDocsRoute(): DocsRoute {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const follow = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
