import { DatabaseError } from "pg";
import { StoreUnavailable, ValueRefused } from "../../lib/storeErrors.ts";
import { Collision, LoginRefused, StateRefused, StateUnreachable, UniqueViolation } from "../stateErrors.ts";

/** The server cannot be written to: it is a standby or read-only, or none of several servers can be. */
export class NotWritable extends Error {}

/**
 * A conflict of two transactions: the server rolled one back, which may be retried: serialization_failure,
 * deadlock_detected.
 */
const COLLISIONS = new Set(["40001", "40P01"]);
const UNIQUE_VIOLATION = "23505";

export function isCollision(error: unknown): boolean {
  return error instanceof DatabaseError && COLLISIONS.has(error.code ?? "");
}

/** Whether the connection is no longer usable: it broke, its server is shutting down, or has become read-only. */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === "FATAL" || /^(08|25|57P|58|XX)/.test(error.code ?? "");
}

const PASSWORD = "correct its user and password; a missing role is refused like a wrong password";
/** The remedy if a server refuses a login (SQLSTATE). */
const LOGIN_REMEDIES = new Map([
  ["28P01", PASSWORD],
  ["28000", "use an existing role that may log in from this machine (pg_hba.conf)"],
  ["3D000", "create the database, or correct its name"],
]);
/** Messages of a pooler that refuses a login with a generic code (08P01). */
const POOLER_REFUSES = /password authentication failed|no such (?:user|database)|\bauth\w* failed/i;

/** The remedy for a login that is refused until a setting changes; undefined for any other failure. */
export function loginRemedy(error: unknown): string | undefined {
  if (error instanceof AggregateError) return loginRemedy(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  // The driver's own error if the server asks for a missing password.
  if (!(error instanceof DatabaseError)) return error.message.startsWith("SASL:") ? PASSWORD : undefined;
  const { code = "", message } = error;
  return (
    LOGIN_REMEDIES.get(code) ?? (code === "08P01" && POOLER_REFUSES.test(message) ? PASSWORD : undefined)
  );
}

/** The reason why a database cannot be used, and the remedy; without a password. @param name of the database */
export function asDatabaseRefused(error: unknown, name = "the database of DATABASE_URL"): StateRefused {
  if (error instanceof StateRefused) return error;
  const remedy = loginRemedy(error);
  const Refusal =
    remedy !== undefined ? LoginRefused : isUnreachable(error) ? StateUnreachable : StateRefused;
  return new Refusal(
    `${name} cannot be used (${databaseReason(error)}): ${remedy ?? "check that its server is running, and its name, user, password and permissions"}`,
  );
}

/** A server that is starting, stopping, read-only or out of connections (SQLSTATE). */
const AWAY = /^(?:08...|25006|53300|57P0[1-3])$/;
/** Node's error codes for an unreachable server. */
const UNREACHED = /^(?:ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT)/;

/**
 * Whether the server may become available without a change of settings. That includes unknown host names, because name
 * servers may start later, but not refusals by the server, such as a wrong password.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnreachable);
  if (error instanceof NotWritable) return true;
  if (error instanceof DatabaseError) return AWAY.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  if ("code" in error && UNREACHED.test(String(error.code))) return true;
  // Errors of the pool have no code.
  return /\btimeout\b|timed out|Connection terminated/i.test(error.message);
}

/**
 * Converts an error for callers of the store. A value that the server refuses (SQLSTATE class 22, data exceptions) may
 * be a caller's text, which only that caller can correct.
 */
export function asStoreError(error: unknown): StoreUnavailable | ValueRefused {
  if (error instanceof ValueRefused || error instanceof StoreUnavailable) return error;
  const code = error instanceof DatabaseError ? error.code : undefined;
  if (code?.startsWith("22") === true) return new ValueRefused(code);
  if (isCollision(error)) return new Collision(databaseReason(error));
  return code === UNIQUE_VIOLATION
    ? new UniqueViolation(databaseReason(error))
    : new StoreUnavailable(databaseReason(error));
}

export function databaseReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return databaseReason(error.errors[0]);
  if (error instanceof DatabaseError) return `${error.message} (SQLSTATE ${error.code ?? "unknown"})`;
  return error instanceof Error ? error.message : "it failed without a reason";
}
