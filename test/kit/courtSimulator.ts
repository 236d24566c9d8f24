import { onTestFinished } from "vitest";
import {
  CourtRegister,
  MIDDEN_NEDERLAND,
  publication,
  referencesOf,
  type SimulatedCase,
} from "../../src/demo/court/register.ts";
import {
  type CourtSimulator,
  type CourtSimulatorOptions,
  SIMULATED_COURT_LOGIN,
  startCourtSimulator,
} from "../../src/demo/court/server.ts";
import { CourtClient, type CourtClientOptions } from "../../src/insolvency/court/client.ts";
import type { CourtCase } from "../../src/insolvency/types.ts";
import { freePort } from "./freePort.ts";

/** A simulated court on a free port, stopped after the test. */
export async function courtSimulator(options: CourtSimulatorOptions = {}): Promise<CourtSimulator> {
  const started = await startCourtSimulator({ port: await freePort(), ...options });
  onTestFinished(() => started.stop());
  return started;
}

/** A client of a simulated court, closed after the test. */
export function courtClient(
  { url }: Pick<CourtSimulator, "url">,
  { access, ...options }: Partial<CourtClientOptions> = {},
): CourtClient {
  const client = new CourtClient({ access: { url, ...SIMULATED_COURT_LOGIN, ...access }, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** A bankrupt company, with changes. */
export function bankruptcy(changes: Partial<SimulatedCase> = {}): SimulatedCase {
  return {
    caseNumber: "F.16/26/100",
    court: MIDDEN_NEDERLAND,
    name: "Fabel Bouw B.V.",
    kvkNumber: "90001001",
    publications: [publication("1300", "2026-11-05", "2026-11-03")],
    ...changes,
  };
}

/** Publications, by default with the texts of the simulator. */
export function published(
  ...rows: readonly (readonly [code: string, publishedOn: string, text?: string])[]
): Pick<SimulatedCase, "publications"> {
  const publications = rows.map(([code, publishedOn, text]) =>
    text === undefined ? publication(code, publishedOn) : { code, publishedOn, text },
  );
  return { publications };
}

/** Reads a bankruptcy with changes from a simulated court, and the unknown codes that the client reports. */
export async function readOverTheWire(changes: Partial<SimulatedCase>) {
  const facts = bankruptcy(changes);
  const codes: string[] = [];
  const client = courtClient(await courtSimulator({ register: new CourtRegister([facts]) }), {
    onUnknownCode: (code) => codes.push(code),
  });
  const answer = await client.caseOf(referencesOf(facts).at(-1) ?? "", new AbortController().signal);
  return { answer, codes };
}

/** The case of {@link readOverTheWire}. */
export async function caseRead(changes: Partial<SimulatedCase>): Promise<CourtCase> {
  const { answer } = await readOverTheWire(changes);
  if (answer.kind !== "found" || answer.value === "private") throw new Error(JSON.stringify(answer));
  return answer.value;
}
