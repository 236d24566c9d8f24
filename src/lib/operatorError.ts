/** An error whose message tells an operator what is wrong and what to do, so that no stack is needed. */
export abstract class OperatorError extends Error {}
