import { OperatorError } from "./operatorError.ts";

/** The state store is unavailable. Nothing was changed or charged. Callers get 503. */
export class StoreUnavailable extends OperatorError {
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`the state store is unavailable: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = "StoreUnavailable";
    this.reason = reason;
  }
}

/** The state store rejects a value from a call. Nothing was changed or charged. Callers get 400. */
export class ValueRefused extends Error {
  /** The store's reason: an SQLSTATE of class 22. */
  readonly sqlState: string;

  constructor(sqlState: string) {
    super(`the state store rejects a value (SQLSTATE ${sqlState})`);
    this.name = "ValueRefused";
    this.sqlState = sqlState;
  }
}
