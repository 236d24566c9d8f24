import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Person, SessionState } from "../../../src/contract/accountResources.ts";
import type { NewAccountKey } from "../../../src/contract/keyResources.ts";
import { readSession } from "../api/account.ts";
import { onSessionEnded } from "../api/request.ts";
import { forgetLists } from "../pages/try/list/listClient.ts";
import { type QueryState, useQuery } from "../queries/useQuery.ts";

/** `over`: it was too old, idle or ended elsewhere · `out`: by signing out here · `deleted`: with the account. */
type Ended = "over" | "out" | "deleted";

/** A new key, and whether it may look companies up: its HTML says so. */
export type ShownKey = NewAccountKey & { readonly mayLookUp: boolean };

interface Session {
  readonly now: QueryState<SessionState>;
  readonly reload: () => void;
  /** Takes what signing in or out answered with. */
  readonly take: (state: SessionState) => void;
  /** How a session came to its end while the page was open. */
  readonly ended: Ended | undefined;
  /** Says that this session was ended here. What the browser keeps of lists is deleted. */
  readonly leave: (how: "out" | "deleted") => void;
  /** The key that was shown last. It is held for as long as the page is open, and nowhere else. */
  readonly shownKey: NewAccountKey | undefined;
  readonly showKey: (key: NewAccountKey | undefined) => void;
  /** A key that was created on the keys screen and is shown there until its reader closes it, also after going back. */
  readonly newKey: ShownKey | undefined;
  readonly showNewKey: (key: ShownKey | undefined) => void;
}

const Context = createContext<Session | undefined>(undefined);

/** Knows who is signed in. */
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
        // What is still being read when the account goes finds no session, too.
        setEnded((before) => before ?? "over");
        forgetKeys();
        reload();
      }),
    [reload, forgetKeys],
  );
  const leave = useCallback(
    (how: "out" | "deleted") => {
      forgetLists();
      // A view that was still loading may have found the session gone first.
      setEnded(how);
      forgetKeys();
      reload();
    },
    [reload, forgetKeys],
  );
  const session = useMemo(
    () => ({ now, reload, take: accept, ended, leave, shownKey, showKey, newKey, showNewKey }),
    [now, reload, accept, ended, leave, shownKey, newKey],
  );
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
  const { now } = useSession();
  const person = now.state === "ready" ? now.value.person : undefined;
  if (person === undefined) throw new Error("only a member's screen may ask who is signed in");
  return person;
}
