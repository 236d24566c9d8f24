import { DatabaseError } from "pg";
import { StoreUnavailable, ValueRefused } from "../../metering/store.ts";

/**
 * Two transactions met: the server undid one, which may simply be tried again (SQLSTATE 40001, 40P01). So may one whose statements the
 * transaction before it on the connection was to prepare, and failed (26000).
 */
const COLLISIONS = new Set(["40001", "40P01", "26000"]);

export function isCollision(error: unknown): boolean {
  return error instanceof DatabaseError && COLLISIONS.has(error.code ?? "");
}

/**
 * Whether the connection is of no more use: it broke, its server is shutting down, or the server it leads to has
 * become a standby.
 */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === "FATAL" || /^(08|25|57P|58|XX)/.test(error.code ?? "");
}

/** How a server says that it starts, stops, is a standby or has no connection left (SQLSTATE). */
const AWAY = /^(?:08...|25006|53300|57P0[1-3])$/;
/** How Node says that a server cannot be reached. */
const UNREACHED = /^(?:ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT)/;

/**
 * Whether the server may be there later without anybody changing a setting. A name that cannot be found is so: name servers start after what asks
 * them. What the server itself refuses, as a password, is not.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isAway);
  if (error instanceof DatabaseError) return AWAY.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  if ("code" in error && UNREACHED.test(String(error.code))) return true;
  // The pool's own words, which have no code.
  return /\btimeout\b|timed out|Connection terminated/i.test(error.message);
}

/**
 * A failure as callers of a store are told it: the server's own words and its code, never a setting or a value, which
 * could hold a password.
 */
export function asUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(reasonOf(error));
}

/**
 * The same for what may have a text of a caller in it, which the server can refuse (SQLSTATE class 22, data exceptions): nobody mends that
 * but the caller.
 */
export function asStoreError(error: unknown): StoreUnavailable | ValueRefused {
  if (error instanceof ValueRefused) return error;
  const isOfValue = error instanceof DatabaseError && error.code?.startsWith("22") === true;
  return isOfValue ? new ValueRefused(error.code ?? "") : asUnavailable(error);
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof DatabaseError) return `${error.message} (SQLSTATE ${error.code ?? "unknown"})`;
  return error instanceof Error ? error.message : "it failed without saying why";
}
