import type { AddCommand, ServiceContext } from "./command.ts";

/** `opzoek openapi`: the API document, as the service gives it. */
export const addOpenapiCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(async () => context.out(JSON.stringify(await context.apiDocument(), undefined, 2)));
};
