/** What the main thread and a thread of requests say to each other. All of it can be cloned; ports are moved. */
import type { MessagePort } from "node:worker_threads";
import type { HandedSnapshot } from "../../snapshot/snapshotFile.ts";
import type { Settings } from "../settings/settings.ts";

/** What a thread is started with. */
export interface ThreadData {
  readonly settings: Settings;
  /** To the thread that owns the state. */
  readonly state: MessagePort;
  /** To what there is one of. */
  readonly house: MessagePort;
  /** Where it counts, where metrics are wanted. */
  readonly counts: SharedArrayBuffer | undefined;
  /** So many are started. */
  readonly threads: number;
  /** By which traces are chosen, the same in all of them. */
  readonly traceSecret: string;
}

/** What the main thread says. */
export type Order =
  /** Comes once, when the registry was opened; nothing is listened to before it. */
  | { readonly kind: "begin"; readonly snapshot: HandedSnapshot | undefined }
  /** Answered by `took`. */
  | { readonly kind: "snapshot"; readonly snapshot: HandedSnapshot; readonly nth: number }
  | { readonly kind: "behind"; readonly isBehind: boolean }
  /** Answer to `ready`; the port is 0 for any that is free. Alone, there comes a `share`. */
  | { readonly kind: "listen"; readonly port: number; readonly isAlone: boolean }
  /** All listen: let go of the connections that came before. */
  | { readonly kind: "share" }
  /** Answered by `alive`, as soon as its event loop turns. */
  | { readonly kind: "look" }
  /** So many characters of its log were taken. */
  | { readonly kind: "logged"; readonly length: number }
  /** Say to whoever asks that calls should go elsewhere. */
  | { readonly kind: "announce" }
  /** Drain, and end. */
  | { readonly kind: "leave"; readonly withinMs: number };

/** What a thread says. */
export type News =
  | { readonly kind: "ready" }
  | { readonly kind: "listening"; readonly address: string; readonly port: number }
  /** It cannot start, as the message says; another one could not either. */
  | { readonly kind: "refused"; readonly message: string }
  /** Answer to `snapshot`; with `nth` 0 to `begin`, where that could not be taken. */
  | { readonly kind: "took"; readonly nth: number; readonly problem?: unknown }
  | { readonly kind: "alive" }
  | { readonly kind: "log"; readonly text: string; readonly lines: number }
  /** Nobody caught an error: it goes on until another one has taken its place. */
  | { readonly kind: "escaped" };
