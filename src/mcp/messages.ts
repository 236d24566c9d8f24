import type { McpAnswer, McpMessage, ToolOutcome } from "../http/mcp/protocol.ts";

/** What the thread is given; `id` is of the message that it belongs to. */
export type ToThread =
  | { readonly kind: "message"; readonly id: number; readonly message: McpMessage }
  | { readonly kind: "outcome"; readonly id: number; readonly outcome: ToolOutcome }
  | { readonly kind: "failed"; readonly id: number };

/** What it tells. */
export type FromThread =
  | {
      readonly kind: "call";
      readonly id: number;
      readonly name: string;
      readonly given: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "answer"; readonly id: number; readonly answer: McpAnswer }
  | { readonly kind: "failed"; readonly id: number; readonly error: unknown };
