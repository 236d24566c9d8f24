import { DatabaseError } from "pg";
import { StoreUnavailable } from "../../metering/store.ts";

/** Two transactions met: the server undid one, which may simply be tried again (SQLSTATE 40001, 40P01). */
const COLLISIONS = new Set(["40001", "40P01"]);

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

/**
 * A failure as callers of a store are told it: the server's own words and its code, never a setting or a value, which
 * could hold a password.
 */
export function asUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(reasonOf(error));
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof DatabaseError) return `${error.message} (SQLSTATE ${error.code ?? "unknown"})`;
  return error instanceof Error ? error.message : "it failed without saying why";
}
