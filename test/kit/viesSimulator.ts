import { onTestFinished } from "vitest";
import {
  startViesSimulator,
  type ViesSimulator,
  type ViesSimulatorOptions,
} from "../../src/demo/vies/server.ts";
import { freePort } from "./freePort.ts";

/** A simulator on a free port, stopped after the test. */
export async function simulator(options: ViesSimulatorOptions = {}): Promise<ViesSimulator> {
  const started = await startViesSimulator({ port: await freePort(), ...options });
  onTestFinished(() => started.stop());
  return started;
}

export interface Received {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  /** The parsed body; an empty object if it is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Sends a POST: text unchanged, anything else as JSON. */
export async function post(
  { url }: Pick<ViesSimulator, "url">,
  body: unknown,
  operation = "check-vat-number",
): Promise<Received> {
  return received(await fetch(`${url}/${operation}`, { method: "POST", body: asText(body) }));
}

/** Checks one number and returns the parsed response. */
export async function check(
  vies: Pick<ViesSimulator, "url">,
  countryCode: string,
  vatNumber: string,
  more: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  return (await post(vies, { countryCode, vatNumber, ...more })).json;
}

/** Calls an endpoint of the control interface. */
export async function control(
  { controlUrl }: ViesSimulator,
  method: string,
  path: string,
  body?: unknown,
): Promise<Received> {
  const init = body === undefined ? { method } : { method, body: asText(body) };
  return received(await fetch(controlUrl + path, init));
}

/** The code in an error response. */
export function codeOf({ errorWrappers }: Readonly<Record<string, unknown>>): unknown {
  const [first]: unknown[] = Array.isArray(errorWrappers) ? errorWrappers : [];
  return typeof first === "object" && first !== null && "error" in first ? first.error : undefined;
}

async function received(response: Response): Promise<Received> {
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    text,
    json: asObject(text),
  };
}

function asObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function asText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
