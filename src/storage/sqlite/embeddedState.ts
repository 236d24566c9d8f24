import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { StoreUnavailable } from "../../metering/store.ts";
import { peopleStoreOf } from "../queries/people.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import { type Method, type Request, type Response, unpackDecision, type WriterData } from "./protocol.ts";

/**
 * Batches that the writer thread is given before it has answered the first, so that it and the thread of the requests
 * work at the same time: with one, 64 busy connections had the two take turns.
 */
export const EMBEDDED_BATCHES_AT_ONCE = 3;

/** The file of the embedded state in a data folder. */
export function statePath(dataDir: string): string {
  return join(dataDir, "state.sqlite");
}

/**
 * Opens the embedded state on a thread of its own. Should that thread end by itself, calls fail from then on, and `onLost` is
 * told why: only a new process helps.
 * @throws {StateRefused} when it cannot be used; the message says what to do
 */
export async function openEmbeddedState(
  data: WriterData,
  onLost: (error: Error) => void = () => {},
): Promise<StateStore> {
  const writer = new WriterThread(data, onLost);
  await writer.ready;
  return {
    apply: (asks) => writer.call("apply", asks),
    findKeyIds: (hashes) => writer.call("findKeyIds", hashes),
    ledger: (accountId, fromDay, toDay) => writer.call("ledger", accountId, fromDay, toDay),
    spent: (accountId) => writer.call("spent", accountId),
    aheadOfClock: () => writer.call("aheadOfClock"),
    addAccount: (account) => writer.call("addAccount", account),
    account: (id) => writer.call("account", id),
    accounts: () => writer.call("accounts"),
    accountsByTier: () => writer.call("accountsByTier"),
    setTier: (id, tierName) => writer.call("setTier", id, tierName),
    setSuspended: (id, isSuspended, at) => writer.call("setSuspended", id, isSuspended, at),
    addKey: (key, mostLiveKeys, daily) => writer.call("addKey", key, mostLiveKeys, daily),
    revokeKey: (id, revokedAt) => writer.call("revokeKey", id, revokedAt),
    heldVerdicts: (vatNumbers) => writer.call("heldVerdicts", vatNumbers),
    keepVerdict: (vatNumber, answer) => writer.call("keepVerdict", vatNumber, answer),
    keepConsultation: (consultation) => writer.call("keepConsultation", consultation),
    consultation: (accountId, vatNumber, requester) =>
      writer.call("consultation", accountId, vatNumber, requester),
    forgetVerdicts: (beforeMs) => writer.call("forgetVerdicts", beforeMs),
    heldCompanies: (kvkNumbers) => writer.call("heldCompanies", kvkNumbers),
    keepCompany: (kvkNumber, facts, toldAtMs) => writer.call("keepCompany", kvkNumber, facts, toldAtMs),
    keepBranches: (kvkNumber, toldAtMs, told) => writer.call("keepBranches", kvkNumber, toldAtMs, told),
    mostTold: (most) => writer.call("mostTold", most),
    toldSince: (sinceMs, after, most) => writer.call("toldSince", sinceMs, after, most),
    heldSearch: (criteria) => writer.call("heldSearch", criteria),
    keepSearch: (criteria, search) => writer.call("keepSearch", criteria, search),
    spendCall: (day, most, share) => writer.call("spendCall", day, most, share),
    refundCall: (day, isOfShare) => writer.call("refundCall", day, isOfShare),
    spentCalls: (day) => writer.call("spentCalls", day),
    hasAccountBeyond: (tierNames) => writer.call("hasAccountBeyond", tierNames),
    holdPlaces: (held) => writer.call("holdPlaces", held),
    clearLive: (tooOld) => writer.call("clearLive", tooOld),
    forgotten: () => writer.call("forgotten"),
    forgottenMark: () => writer.call("forgottenMark"),
    forget: (company) => writer.call("forget", company),
    undoForget: (kvkNumber) => writer.call("undoForget", kvkNumber),
    people: peopleStoreOf((method, parameters) => writer.ask({ of: "people", method, parameters })),
    probe: () => writer.call("probe"),
    close: () => writer.close(),
  };
}

const THREAD_ENDED = "the thread that writes it has ended; restart the program";

type Result<M extends Method> = ReturnType<StateStore[M]>;
/** A request without its number. */
type Asked = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls to the writer thread and their answers. A thread that ended fails every call from then on. */
class WriterThread {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #hasEnded = false;
  #closing: Promise<void> | undefined;

  constructor(data: WriterData, onLost: (error: Error) => void) {
    this.#worker = new Worker(new URL("./writer.ts", import.meta.url), { workerData: data });
    let cause: unknown;
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on("message", (text: string) => {
        const response: Response = JSON.parse(text);
        if (response.kind === "ready") resolve();
        else if (response.kind === "refused") reject(new StateRefused(response.message));
        else this.#settle(response);
      });
      this.#worker.on("error", (error) => {
        reject(error);
        cause = error;
      });
      // Comes after the error that ended it, if there was one.
      this.#worker.on("exit", () => {
        reject(new StoreUnavailable(THREAD_ENDED));
        this.#failAll();
        if (this.#closing === undefined) onLost(new StoreUnavailable(THREAD_ENDED, cause));
      });
    });
  }

  call<M extends Method>(method: M, ...parameters: Parameters<StateStore[M]>): Result<M> {
    // The writer runs this same method: what it sends back is what the interface promises.
    return this.ask({ of: "state", method, parameters }) as Result<M>;
  }

  /** Has the writer run a method; what comes back is its result. */
  ask(asked: Asked): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) return reject(new StoreUnavailable(THREAD_ENDED));
      // As JSON, what is left out would come back as null.
      const parameters = asked.parameters.slice(
        0,
        asked.parameters.findLastIndex((one) => one !== undefined) + 1,
      );
      const request: Request = { id: this.#nextId++, ...asked, parameters };
      this.#pending.set(request.id, { resolve, reject });
      this.#worker.postMessage(JSON.stringify(request));
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    await this.call("close");
    await ended;
  }

  #settle(response: Extract<Response, { id: number }>): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (response.kind === "decided") pending?.resolve(response.decisions.map(unpackDecision));
    else if (response.kind === "done") pending?.resolve(response.result);
    else if (response.kind === "unavailable") pending?.reject(new StoreUnavailable(response.reason));
    else pending?.reject(new Error(response.message));
  }

  #failAll(): void {
    this.#hasEnded = true;
    for (const { reject } of this.#pending.values()) reject(new StoreUnavailable(THREAD_ENDED));
    this.#pending.clear();
  }
}
