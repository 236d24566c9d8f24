/** Delivers one message over HTTP, only to an allowed address. */
import { retryAfterSeconds } from "../lib/retryAfter.ts";
import { allowedAddresses, lookUpIn, type ResolveOptions } from "../upstream/guardedAddress.ts";

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 20_000;
/** Answers of a receiver that accepts no message for now (Standard Webhooks, and gateways before it). */
const BUSY = [429, 502, 503, 504];

/** The result of a delivery: accepted with a 2xx, or the reason, without the address. */
export type DeliveryResult = { readonly isAccepted: true } | RefusedDelivery;

export interface RefusedDelivery {
  readonly isAccepted: false;
  readonly reason: string;
  /** `gone`: the address wants no further message. `busy`: it wants none for now. */
  readonly answer?: "gone" | "busy";
  /** The `Retry-After` of a busy receiver. */
  readonly askAgainAfterMs?: number;
}

export interface MessagePost {
  deliver(url: string, headers: Record<string, string>, payload: string): Promise<DeliveryResult>;
  close(): Promise<void>;
}

/**
 * Connects to allowed addresses only. A name is resolved once per delivery and the connection uses the checked
 * addresses, which prevents DNS rebinding. Redirects are not followed.
 * @param allowed private networks that the operator allows
 */
export function openMessagePost(allowed: readonly string[], resolving: ResolveOptions = {}): MessagePost {
  const closing = new AbortController();
  return {
    async deliver(url, headers, payload) {
      const signal = AbortSignal.any([
        closing.signal,
        AbortSignal.timeout(CONNECT_WITHIN_MS + ANSWER_WITHIN_MS),
      ]);
      try {
        const addresses = await allowedAddresses(new URL(url), allowed, signal, resolving);
        if (addresses.length === 0) return { isAccepted: false, reason: "the address is not public" };
        // Loaded with the first message, because most services send none.
        const { Client, request } = await import("undici");
        // A connection per message, because each has its own checked addresses.
        const client = new Client(new URL(url).origin, {
          connect: { timeout: CONNECT_WITHIN_MS, lookup: lookUpIn(addresses) },
          headersTimeout: ANSWER_WITHIN_MS,
        });
        try {
          const {
            statusCode,
            headers: answered,
            body,
          } = await request(url, {
            dispatcher: client,
            method: "POST",
            headers: { ...headers, "user-agent": "Opzoek-Webhook/1" },
            body: payload,
            signal,
          });
          // The body is not needed and may be endless.
          body.on("error", () => {}).destroy();
          if (statusCode >= 200 && statusCode < 300) return { isAccepted: true };
          const refused = { isAccepted: false, reason: `it answered ${statusCode}` } as const;
          if (statusCode === 410) return { ...refused, answer: "gone" };
          if (!BUSY.includes(statusCode)) return refused;
          const seconds = retryAfterSeconds({ headers: answered });
          return { ...refused, answer: "busy", ...(seconds && { askAgainAfterMs: seconds * 1_000 }) };
        } finally {
          await client.destroy();
        }
      } catch (error) {
        return { isAccepted: false, reason: reasonOf(error) };
      }
    },
    close: async () => closing.abort(),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return "it cannot be reached";
}
