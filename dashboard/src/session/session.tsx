import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { Person, SessionState } from "../../../src/contract/accountResources.ts";
import type { NewAccountKey } from "../../../src/contract/keyResources.ts";
import { readSession } from "../api/account.ts";
import { onSessionEnded } from "../api/request.ts";
import { deleteLists } from "../pages/try/list/job/openList.ts";
import { type QueryState, useQuery } from "../queries/useQuery.ts";

/** Why the session ended. `over`: expired or ended elsewhere; `out`: signed out here; `deleted`: with the account. */
type Ended = "over" | "out" | "deleted";

/** A new key, and whether it may look up companies, which its HTML depends on. */
export type ShownKey = NewAccountKey & { readonly mayLookUp: boolean };

interface Session {
  readonly now: QueryState<SessionState>;
  /** The state of the session and the service; undefined while loading. */
  readonly value: SessionState | undefined;
  readonly reload: () => void;
  /** Sets the state returned by signing in. */
  readonly take: (state: SessionState) => void;
  /** How the session ended while the page was open. */
  readonly ended: Ended | undefined;
  /** The person whose session is over, until somebody signs in: their screens keep what they typed. */
  readonly left: Person | undefined;
  /** Ends the session in this browser, and deletes its stored lists. */
  readonly leave: (how: "out" | "deleted") => void;
  /** The account's first key, held in memory while the page is open. */
  readonly shownKey: NewAccountKey | undefined;
  readonly showKey: (key: NewAccountKey | undefined) => void;
  /** A key created on the keys screen, shown there until it is closed, even after going back. */
  readonly newKey: ShownKey | undefined;
  readonly showNewKey: (key: ShownKey | undefined) => void;
}

const Context = createContext<Session | undefined>(undefined);

/** Reaches the other tabs of this browser when one of them signs out. */
const otherTabs = new BroadcastChannel("opzoek-session");

function signedOut({ person: _, ...state }: SessionState): SessionState {
  return state;
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const { now, reload, take } = useQuery(readSession);
  const lastReady = useRef<QueryState<SessionState>>(undefined);
  if (now.state === "ready") lastReady.current = now;
  // An outage does not sign out: the last known session stays.
  const known = now.state === "failed" && now.failure.isOutage ? (lastReady.current ?? now) : now;
  const [ended, setEnded] = useState<Ended>();
  const [shownKey, showKey] = useState<NewAccountKey>();
  const [newKey, showNewKey] = useState<ShownKey>();
  const forgetKeys = useCallback(() => {
    showKey(undefined);
    showNewKey(undefined);
  }, []);
  const accept = useCallback(
    (state: SessionState) => {
      setEnded(undefined);
      forgetKeys();
      take(state);
    },
    [take, forgetKeys],
  );
  useEffect(
    () =>
      onSessionEnded(() => {
        // After deleting the account, pending calls also report the end of the session.
        setEnded((before) => before ?? "over");
        forgetKeys();
        reload();
      }),
    [reload, forgetKeys],
  );
  const end = useCallback(
    (how: "out" | "deleted") => {
      deleteLists();
      // A loading view may have reported the end first.
      setEnded(how);
      forgetKeys();
      reload();
    },
    [reload, forgetKeys],
  );
  const leave = useCallback(
    (how: "out" | "deleted") => {
      end(how);
      otherTabs.postMessage(how);
    },
    [end],
  );
  const isGone = ended === "out" || ended === "deleted";
  const read = known.state === "ready" && isGone ? { ...known, value: signedOut(known.value) } : known;
  const value = read.state === "ready" ? read.value : undefined;
  const last = useRef<Person>(undefined);
  if (value?.person !== undefined || ended !== "over") last.current = value?.person;
  useEffect(() => {
    const onMessage = ({ data }: MessageEvent) => {
      if (last.current !== undefined) end(data === "deleted" ? "deleted" : "out");
    };
    otherTabs.addEventListener("message", onMessage);
    return () => otherTabs.removeEventListener("message", onMessage);
  }, [end]);
  const left = ended === "over" ? last.current : undefined;
  const session = { now: read, value, reload, take: accept, ended, left, leave };
  const keys = { shownKey, showKey, newKey, showNewKey };
  return <Context value={{ ...session, ...keys }}>{children}</Context>;
}

/** Returns the session, on any screen. */
export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error("wrap the page in SessionProvider");
  return session;
}

/** Returns the signed-in person, on a member's screen; after the session, the person who left it. */
export function usePerson(): Person {
  const { value, left } = useSession();
  const person = value?.person ?? left;
  if (person === undefined) throw new Error("only a member's screen may ask who is signed in");
  return person;
}
