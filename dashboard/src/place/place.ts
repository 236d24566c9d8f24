import { useEffect, useState } from "react";

/** The screens by their name in the address, after `#/`. */
const SCREENS = [
  "start",
  "try",
  "keys",
  "usage",
  "plan",
  "status",
  "settings",
  "operator",
  "sign-in",
  "sign-up",
  "forgot",
] as const;
export type Screen = (typeof SCREENS)[number];

/** What the link of a mail or of the terminal brings: a secret for one of these. */
export type Errand = { readonly kind: "confirm" | "reset" | "invite"; readonly token: string };

/** Where the reader is. */
export interface Place {
  readonly screen: Screen | undefined;
  readonly errand?: Errand;
}

export function linkTo(screen: Screen): string {
  return `#/${screen}`;
}

export function goTo(screen: Screen): void {
  location.hash = linkTo(screen);
}

/** Where the address leads; a secret in it is taken off at once, so that it stays in no history. */
function readPlace(): Place {
  const fragment = location.hash.slice(1);
  const [, kind, token] = /^(confirm|reset|invite)=(.+)$/.exec(fragment) ?? [];
  if (token !== undefined && (kind === "confirm" || kind === "reset" || kind === "invite")) {
    history.replaceState(null, "", "/");
    return { screen: undefined, errand: { kind, token } };
  }
  return { screen: SCREENS.find((name) => fragment === `/${name}`) };
}

/** Follows the address. An errand ends when the reader goes to a screen. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const follow = () => setPlace(readPlace());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return place;
}
