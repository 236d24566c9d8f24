import type { FastifyRequest } from "fastify";
import type { CallRequest } from "../metering/store.ts";
import { type Call, testMark } from "./call.ts";

/** What the store is asked of a call whose work stays in this process. */
export function callRequest(
  call: Call,
  request: FastifyRequest,
  { price, charge, hasSlot }: { readonly price: number; readonly charge: number; readonly hasSlot: boolean },
): CallRequest {
  const { keyId, operation, browser, token, session, once } = call;
  const address = request.clientAddress;
  // Made of one piece, as nearly all are asked like this.
  const asked: CallRequest = {
    kind: "call",
    keyId,
    isTest: testMark(call),
    operation,
    price,
    charge,
    hasSlot,
    address,
    browser,
  };
  if (session === undefined && once === undefined && token === undefined) return asked;
  return {
    ...asked,
    ...whereFrom(call, request),
    ...sessionOf(call),
    ...(once !== undefined && { keep: once }),
  };
}

/**
 * Where a call comes from, for what the store is asked. A token is handed to pages by who may use its key, and they are read from anywhere:
 * the addresses that the key is for bind who makes tokens of it.
 */
export function whereFrom(
  { browser, token }: Call,
  { clientAddress: address }: FastifyRequest,
): Pick<CallRequest, "address" | "browser" | "wasLetIn"> {
  return token === undefined ? { address, browser } : { address, browser, wasLetIn: true };
}

/** The session of typing that a call is of, for what the store is asked. */
export function sessionOf({ session }: Call): { readonly session?: string } {
  return session === undefined ? {} : { session };
}
