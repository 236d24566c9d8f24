import { parseEnv } from "node:util";
import { parse } from "yaml";
import { textOf } from "../architecture/repository.ts";

export const COMPOSE_FILE = "deploy/compose/compose.yaml";
export const ENV_EXAMPLE = textOf("deploy/compose/env.example");

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly args: Readonly<Record<string, string>> };
  readonly env_file?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly mem_limit?: string;
}

interface Compose {
  readonly services: Readonly<Record<"db" | "opzoek" | "proxy", ComposeService>>;
  readonly networks: {
    readonly outside: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } };
  };
}

export const composeText = textOf(COMPOSE_FILE);

type Variables = Readonly<Record<string, string | undefined>>;

/** The smallest `.env`: all that version 1.0.0 had. */
export const FIRST_ENV = {
  OPZOEK_HOST: "registry.example.com",
  POSTGRES_PASSWORD: "secret",
  TWO_FACTOR_KEY: Buffer.alloc(32).toString("base64"),
} as const;

/** Fills in variables as Compose does, from the inside: `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
export function interpolate(text: string, variables: Variables): string {
  const next = text.replaceAll(
    /\$\{(\w+)(?::([-?])([^{}]*))?\}/g,
    (_, name: string, operator: string | undefined, rest = "") => {
      const value = variables[name] ?? "";
      if (value === "" && operator === "?") throw new Error(`${name}: ${rest}`);
      return value === "" ? rest : value;
    },
  );
  return next === text ? text : interpolate(next, variables);
}

/** The file as Compose reads it next to a `.env`. */
export function composeWith(variables: Variables): Compose {
  return parse(composeText, (_, value: unknown) =>
    typeof value === "string" ? interpolate(value, variables) : value,
  ) as Compose;
}

/** The environment of the service's container: its `env_file`, overridden by `environment`. */
export function settingsWith(variables: Variables): NodeJS.ProcessEnv {
  const { env_file, environment } = composeWith(variables).services.opzoek;
  return { ...(env_file === ".env" && variables), ...environment };
}

/** The variables of the example, with those that are commented out. */
export const exampleNames = [...ENV_EXAMPLE.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
export const exampleVariables = parseEnv(ENV_EXAMPLE);
