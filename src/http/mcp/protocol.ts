/** What this room needs of whoever speaks the Model Context Protocol, and what that is told in return. */

/** One tool as hosts are shown it: its schemas are JSON Schema 2020-12, of objects. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses: what it gives, and what it costs. */
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export type ObjectSchema = { readonly type: "object" } & Readonly<Record<string, unknown>>;

/** Who speaks to a host, and with which tools. */
export interface McpFacts {
  readonly name: string;
  readonly version: string;
  /** What a model should know before its first call. */
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
}

/** What a tool call came to. */
export type ToolOutcome = (
  | {
      /** A JSON object, by the tool's output schema. */
      readonly text: string;
    }
  | { readonly error: ToolError }
) & {
  /** Beside the result, by names of the protocol's `_meta`: what the call cost and what is left. */
  readonly meta: Readonly<Record<string, string | number>>;
};

export interface ToolError {
  /** Of the contract; over HTTP also what came between. */
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** Does the work of a tool, charged and all. Told of tools that there are only. */
export type CallTool = (name: string, given: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;

/** What was posted, its body as text. */
export interface McpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is answered; the body is JSON, absent where a message needs no answer. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: string;
}

export interface McpProtocol {
  /**
   * Answers one message; a tool is called at most once for it.
   * @throws (the promise) when it cannot be answered, which is no fault of the message
   */
  answer(message: McpMessage, callTool: CallTool): Promise<McpAnswer>;
}
