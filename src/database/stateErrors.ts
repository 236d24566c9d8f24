import { OperatorError } from "../lib/operatorError.ts";
import { StoreUnavailable } from "../lib/storeErrors.ts";

/** The state cannot be opened. The message contains the reason and the remedy. */
export class StateRefused extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StateRefused";
  }
}

/**
 * The state may become available later: its server does not run, is starting, cannot be reached, or accepts no more
 * connections.
 */
export class StateUnreachable extends StateRefused {
  override name = "StateUnreachable";
}

/** The server refuses the user, the password or the name of the database until the setting is changed. */
export class LoginRefused extends StateRefused {
  override readonly exitCode = 2;

  constructor(message: string) {
    super(message);
    this.name = "LoginRefused";
  }
}

/** Another row got the same unique value at the same moment. */
export class UniqueViolation extends StoreUnavailable {}

/** The database rolled a transaction back because of a deadlock. It may be repeated. */
export class Collision extends StoreUnavailable {}
