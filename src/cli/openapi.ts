import type { AddCommand } from "./command.ts";

/** `opzoek openapi`: the API document, as the service returns it. */
export const addOpenapiCommand: AddCommand = (program, context) => {
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(async () => context.out(JSON.stringify(await context.apiDocument(), undefined, 2)));
};
