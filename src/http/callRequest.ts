import type { FastifyRequest } from "fastify";
import type { CallRequest } from "../metering/store.ts";
import { type Call, testMark } from "./call.ts";

/** What the store is asked of a call whose work stays in this process. */
export function callRequest(
  call: Call,
  request: FastifyRequest,
  { price, charge, hasSlot }: { readonly price: number; readonly charge: number; readonly hasSlot: boolean },
): CallRequest {
  const { keyId, operation, session, once, browser } = call;
  const isTest = testMark(call);
  const address = request.clientAddress;
  const terms = { price, charge, hasSlot, address, browser };
  const asked: CallRequest = { kind: "call", keyId, isTest, operation, ...terms };
  if (session === undefined && once === undefined) return asked;
  return { ...asked, ...sessionOf(call), ...(once !== undefined && { keep: once }) };
}

/** The session of typing that a call is of, for what the store is asked. */
export function sessionOf({ session }: Call): { readonly session?: string } {
  return session === undefined ? {} : { session };
}
