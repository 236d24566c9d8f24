/** The file for Docker Compose, and the `.env` that an operator keeps next to it. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readSettings, SETTINGS } from "../../src/app/settings/settings.ts";
import { ROOT, textOf } from "../architecture/repository.ts";
import {
  COMPOSE_FILE,
  composeText,
  composeWith,
  ENV_EXAMPLE,
  exampleNames,
  exampleVariables,
  FIRST_ENV,
  settingsWith,
} from "./composeFile.ts";

const file = composeWith(FIRST_ENV);
const services = Object.entries(file.services);

it("the file is valid by the schema of the specification", () => {
  const place = createRequire(import.meta.url).resolve("dclint/package.json");
  const { $schema: draft, ...schema } = JSON.parse(
    readFileSync(join(dirname(place), "schemas/compose.schema.json"), "utf8"),
  ) as { readonly $schema: string };
  // The schema uses another URL of the draft than the library knows.
  expect(draft).toContain("json-schema.org/draft-07/schema");
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  for (const one of [parse(composeText), file]) {
    expect([validate(one), validate.errors]).toEqual([true, null]);
  }
});

describe("the containers", () => {
  it.each(services)("%s is unprivileged on a read-only root, with limits for memory and logs", (_, one) => {
    expect(one).toMatchObject({
      restart: "unless-stopped",
      read_only: true,
      tmpfs: expect.arrayContaining(["/tmp"]),
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.stringMatching(/^[1-9][0-9]*[mg]$/),
      logging: { driver: "json-file", options: { "max-size": "10m", "max-file": "5" } },
    });
  });

  it("keep no capability, except that of the proxy to listen on ports below 1024", () => {
    const kept = services.flatMap(([name, one]) => ("cap_add" in one ? [[name, one.cap_add]] : []));
    expect(kept).toEqual([["proxy", ["NET_BIND_SERVICE"]]]);
    expect(file.services.db).toMatchObject({ user: "postgres" });
  });

  it("wait for the database, which only the service can reach, and expose only the proxy", () => {
    expect(file.services.opzoek).toMatchObject({ depends_on: { db: { condition: "service_healthy" } } });
    expect(file.networks).toMatchObject({ inside: { internal: true } });
    const open = services.filter(([, one]) => "ports" in one);
    expect(open.map(([name]) => name)).toEqual(["opzoek", "proxy"]);
    // Metrics are published on this machine only.
    expect(file.services.opzoek.ports).toEqual(["127.0.0.1:9464:9464"]);
  });

  it("use images that can be pinned by digest, and the Dockerfile's Node.js", () => {
    const { services: own } = parse(composeText) as typeof file;
    expect(Object.fromEntries(Object.entries(own).map(([name, { image }]) => [name, image]))).toEqual({
      db: expect.stringMatching(/^\$\{POSTGRES_IMAGE:-postgres:[0-9.]+-bookworm\}$/),
      opzoek: "opzoek",
      proxy: expect.stringMatching(/^\$\{CADDY_IMAGE:-caddy:[0-9.]+\}$/),
    });
    const [, node] = /^ARG NODE_IMAGE=(.*)$/m.exec(textOf("Dockerfile")) ?? [];
    expect(own.opzoek.build?.args).toMatchObject({ NODE_IMAGE: `\${NODE_IMAGE:-${node}}` });
    for (const name of ["NODE_IMAGE", "POSTGRES_IMAGE", "CADDY_IMAGE"]) {
      expect(ENV_EXAMPLE).toMatch(new RegExp(`^#${name}=[a-z]+:.*@sha256:`, "m"));
      expect(textOf("docs/install.md")).toContain(name);
    }
  });

  it("mount existing files of the release", () => {
    const named = services
      .flatMap(([, { volumes }]) => volumes.map((one) => one.split(":")[0] ?? ""))
      .filter((path) => path.startsWith("../"));
    expect(named.length).toBeGreaterThan(0);
    for (const path of named) expect(existsSync(join(ROOT, dirname(COMPOSE_FILE), path)), path).toBe(true);
  });
});

describe("the .env", () => {
  it.each(Object.keys(SETTINGS))("sets %s in the service", (name) => {
    expect(settingsWith({ ...FIRST_ENV, [name]: "1234" })[name]).toBe("1234");
  });

  it("of version 1.0.0 is enough", () => {
    expect(readSettings(settingsWith(FIRST_ENV))).toMatchObject({
      PUBLIC_URL: "https://registry.example.com",
      TRUST_PROXY: [file.networks.outside.ipam.config[0]?.subnet],
      DATABASE_URL: "postgres://opzoek:secret@db:5432/opzoek",
      READY_WITHOUT_SEARCH: "on",
    });
    for (const name of Object.keys(FIRST_ENV)) {
      expect(() => composeWith({ ...FIRST_ENV, [name]: "" }), name).toThrow("set it in .env");
    }
  });

  it("moves the ports, the network and the limits of memory", () => {
    const { services: own, networks } = composeWith({
      ...FIRST_ENV,
      PORT: "8081",
      METRICS_PORT: "9465",
      SUBNET: "10.9.8.0/24",
      OPZOEK_MEMORY: "4g",
      POSTGRES_MEMORY: "3g",
    });
    expect(own.proxy.environment["OPZOEK_NODES"]).toBe("opzoek:8081");
    expect(own.opzoek.ports).toEqual(["127.0.0.1:9465:9465"]);
    expect([own.opzoek.mem_limit, own.db.mem_limit]).toEqual(["4g", "3g"]);
    expect(networks.outside.ipam.config).toEqual([{ subnet: "10.9.8.0/24" }]);
    expect(own.opzoek.environment["TRUST_PROXY"]).toBe("10.9.8.0/24");
  });

  it("has an example with every variable of Compose, and otherwise only known settings", () => {
    expect(Object.keys(exampleVariables)).toEqual(Object.keys(FIRST_ENV));
    const used = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    const ownNames = used.filter((name) => !(name in SETTINGS) && name !== "COMMIT");
    expect(exampleNames).toEqual(expect.arrayContaining(ownNames));
    expect(exampleNames.filter((name) => !(name in SETTINGS) && !ownNames.includes(name))).toEqual([]);
  });
});
