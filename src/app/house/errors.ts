import { MeterOverloaded } from "../../metering/meter.ts";
import { StoreUnavailable } from "../../metering/store.ts";

/** An error that crosses threads: a clone of one would be of no class that callers know. */
export type PackedError =
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "overloaded"; readonly message: string }
  | { readonly kind: "other"; readonly message: string; readonly stack?: string };

export function packError(error: unknown): PackedError {
  if (error instanceof StoreUnavailable) return { kind: "unavailable", reason: error.reason };
  if (error instanceof MeterOverloaded) return { kind: "overloaded", message: error.message };
  if (!(error instanceof Error)) return { kind: "other", message: String(error) };
  const { message, stack } = error;
  return { kind: "other", message, ...(stack !== undefined && { stack }) };
}

export function unpackError(packed: PackedError): Error {
  if (packed.kind === "unavailable") return new StoreUnavailable(packed.reason);
  if (packed.kind === "overloaded") return new MeterOverloaded(packed.message);
  const error = new Error(packed.message);
  // Where it happened, which is in the other thread.
  if (packed.stack !== undefined) error.stack = packed.stack;
  return error;
}
