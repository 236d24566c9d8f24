/** The thread that owns the embedded state: `node:sqlite` is synchronous, and a disk sync must not stop requests. */
import { parentPort, workerData } from "node:worker_threads";
import { type ChargeRequest, StoreUnavailable } from "../../metering/store.ts";
import { callByName } from "../facets.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import { packDecision, type Request, type Response, type WriterData } from "./protocol.ts";
import { openSqliteState } from "./sqliteState.ts";

const port = parentPort;
if (port === null) throw new Error("the writer runs as a worker thread only");

const { path, tiers, pageRate, clock } = workerData as WriterData;
const clockCell = clock === undefined ? undefined : new Float64Array(clock);
const now = clockCell === undefined ? Date.now : () => clockCell[0] ?? 0;

function say(response: Response): void {
  port?.postMessage(JSON.stringify(response));
}

async function answer(state: StateStore, { id, facet, method, parameters }: Request): Promise<void> {
  try {
    if (facet === "metering" && method === "apply") {
      const decisions = await state.metering.apply(parameters[0] as readonly ChargeRequest[]);
      return say({ kind: "decided", id, decisions: decisions.map(packDecision) });
    }
    if (facet !== "state") {
      return say({ kind: "done", id, result: await callByName(state, { facet, method }, parameters) });
    }
    await (method === "close" ? state.close() : state.probe());
    say({ kind: "done", id, result: undefined });
  } catch (error) {
    if (error instanceof StoreUnavailable) say({ kind: "unavailable", id, reason: error.reason });
    else say({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) });
  }
}

try {
  const state = await openSqliteState({ path, tiers, ...(pageRate !== undefined && { pageRate }), now });
  port.on("message", async (text: string) => {
    const request: Request = JSON.parse(text);
    await answer(state, request);
    if (request.facet === "state" && request.method === "close") port.close();
  });
  say({ kind: "ready" });
} catch (error) {
  if (!(error instanceof StateRefused)) throw error;
  say({ kind: "refused", message: error.message });
}
