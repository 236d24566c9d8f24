import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { Person, SessionState } from "../../../src/contract/accountResources.ts";
import type { NewAccountKey } from "../../../src/contract/keyResources.ts";
import { readSession } from "../api/account.ts";
import { onSessionEnded } from "../api/request.ts";
import { forgetLists } from "../pages/try/list/job/store.ts";
import { type QueryState, useQuery } from "../queries/useQuery.ts";

/** `over`: it expired or was ended elsewhere · `out`: by signing out here · `deleted`: with the account. */
type Ended = "over" | "out" | "deleted";

/** A new key, and whether it may look companies up: its HTML says so. */
export type ShownKey = NewAccountKey & { readonly mayLookUp: boolean };

interface Session {
  readonly now: QueryState<SessionState>;
  /** The state of the session and the service; undefined while loading. */
  readonly value: SessionState | undefined;
  readonly reload: () => void;
  /** Takes the state that signing in returned. */
  readonly take: (state: SessionState) => void;
  /** How the session ended while the page was open. */
  readonly ended: Ended | undefined;
  /** Ends the session here, and deletes the lists that the browser keeps. */
  readonly leave: (how: "out" | "deleted") => void;
  /** The account's first key, kept as long as the page is open, and nowhere else. */
  readonly shownKey: NewAccountKey | undefined;
  readonly showKey: (key: NewAccountKey | undefined) => void;
  /** A key that was created on the keys screen and is shown there until its reader closes it, also after going back. */
  readonly newKey: ShownKey | undefined;
  readonly showNewKey: (key: ShownKey | undefined) => void;
}

const Context = createContext<Session | undefined>(undefined);

/** Provides who is signed in. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const { now: read, reload, take } = useQuery(readSession);
  const lastReady = useRef<QueryState<SessionState>>(undefined);
  if (read.state === "ready") lastReady.current = read;
  // Nobody is signed out by an outage: who was there stays until the service says otherwise.
  const now = read.state === "failed" && read.failure.isOutage ? (lastReady.current ?? read) : read;
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
        // Calls that were under way when the account was deleted find no session either.
        setEnded((before) => before ?? "over");
        forgetKeys();
        reload();
      }),
    [reload, forgetKeys],
  );
  const leave = useCallback(
    (how: "out" | "deleted") => {
      forgetLists();
      // A view that was still loading may have reported the end first.
      setEnded(how);
      forgetKeys();
      reload();
    },
    [reload, forgetKeys],
  );
  const value = now.state === "ready" ? now.value : undefined;
  const session = { now, value, reload, take: accept, ended, leave, shownKey, showKey, newKey, showNewKey };
  return <Context value={session}>{children}</Context>;
}

/** Who is signed in, on every screen. */
export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error("wrap the page in SessionProvider");
  return session;
}

/** Who is signed in, on the screens that only they see. */
export function usePerson(): Person {
  const person = useSession().value?.person;
  if (person === undefined) throw new Error("only a member's screen may ask who is signed in");
  return person;
}
