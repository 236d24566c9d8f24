import { DatabaseError } from "pg";
import { expect, it } from "vitest";
import { LoginRefused, StateUnreachable } from "../stateErrors.ts";
import { asDatabaseRefused } from "./failures.ts";

function refused(code: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, "error"), { code });
}

it.each([
  ["28P01", 'password authentication failed for user "opzoek"'],
  ["28000", 'role "opzoek" is not permitted to log in'],
  ["3D000", 'database "opzoek" does not exist'],
  // PgBouncer's own, under a generic code.
  ["08P01", "password authentication failed"],
  ["08P01", "SASL authentication failed"],
  ["08P01", "no such user: opzoek"],
  ["08P01", "no such database: opzoek"],
])("a login that is refused is not waited for: %s %s", (code, message) => {
  const error = asDatabaseRefused(refused(code, message));
  expect(error).toBeInstanceOf(LoginRefused);
  expect(error.message).toContain(message);
});

it.each([
  ["08P01", "query_wait_timeout"],
  ["08P01", "pgbouncer cannot connect to server"],
  ["57P03", "the database system is starting up"],
  ["53300", "sorry, too many clients already"],
])("a server that may be there later is away: %s %s", (code, message) => {
  expect(asDatabaseRefused(refused(code, message))).toBeInstanceOf(StateUnreachable);
});
