/** An error whose message tells an operator what is wrong and what to do, so that no stack is needed. */
export abstract class OperatorError extends Error {}

/** Another process has printed why it failed: nothing is added but its exit code. */
export class AlreadyExplained extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`another process ended with exit code ${exitCode}`);
    this.name = "AlreadyExplained";
    this.exitCode = exitCode;
  }
}
