import { useEffect, useRef, useState } from "react";

/** The screens by their name in the address, after `#/`. */
const SCREENS = [
  "start",
  "try",
  "keys",
  "calls",
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
export type MailLink = { readonly kind: "confirm" | "reset" | "invite" | "email"; readonly token: string };

/** Where the reader is. */
export interface Route {
  readonly screen: Screen | undefined;
  readonly mailLink?: MailLink;
}

/** The address of a screen, of a part of it, or of one thing that the part is about. */
export function linkTo(screen: Screen, part?: string, subject?: string): string {
  const parts = [screen, part, subject].filter((one) => one !== undefined);
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** The part of the screen that the address names, such as `list` in `#/try/list`. */
function partInAddress(): string | undefined {
  return location.hash.split("/")[2];
}

/** The one thing that the part of the screen is about, such as the account in `#/operator/account/acc_1`. */
function subjectInAddress(): string | undefined {
  const text = location.hash.split("/")[3];
  if (text === undefined || text === "") return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Leads to a screen, as a link to it would. */
export function goTo(screen: Screen): void {
  location.hash = linkTo(screen);
}

/** Leads on after signing in: to the screen that the address names, or the start where it names one for visitors. */
export function goInside(): void {
  const { screen } = readRoute();
  if (screen === undefined || screen === "sign-in" || screen === "sign-up" || screen === "forgot")
    goTo("start");
}

/**
 * The part of a screen that is shown, which the address names: so it can be linked to, and the browser's way back works.
 * @param parts the first is shown where the address names none
 */
export function usePart<Part extends string>(
  screen: Screen,
  parts: readonly [Part, ...Part[]],
): readonly [Part, (part: string | null) => void] {
  const inAddress = () => parts.find((name) => name === partInAddress()) ?? parts[0];
  const [part, setPart] = useState(inAddress);
  const latest = useRef(inAddress);
  latest.current = inAddress;
  useEffect(() => {
    const follow = () => setPart(latest.current());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const show = (chosen: string | null) => {
    location.hash = linkTo(screen, chosen ?? parts[0]);
  };
  return [part, show];
}

/** The one thing that the address says the part of the screen is about, if it does. */
export function useSubject(): string | undefined {
  const [subject, setSubject] = useState(subjectInAddress);
  useEffect(() => {
    const follow = () => setSubject(subjectInAddress());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return subject;
}

/** Where the address leads; a secret in it is taken off at once, so that it stays in no history. */
function readRoute(): Route {
  const fragment = location.hash.slice(1);
  const [, kind, token] = /^(confirm|reset|invite|email)=(.+)$/.exec(fragment) ?? [];
  if (
    token !== undefined &&
    (kind === "confirm" || kind === "reset" || kind === "invite" || kind === "email")
  ) {
    history.replaceState(null, "", "/");
    return { screen: undefined, mailLink: { kind, token } };
  }
  return { screen: SCREENS.find((name) => fragment.split("/")[1] === name) };
}

/** Follows the address. An mailLink ends when the reader goes to a screen. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
