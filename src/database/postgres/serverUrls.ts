/**
 * An unusable address of a database. The message follows the name of its setting and contains nothing of the address.
 */
export class BadDatabaseUrl extends Error {}

const RULE =
  "must be postgres://user:password@host:port/database, with special characters in the password percent-encoded";
const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)([^?#]*)(\?[^#]*)?$/;

/**
 * The allowed parameters after `?` in the address of a database. The client would ignore others, or they would override
 * settings of the service.
 */
const PARAMETERS = [
  "host",
  "options",
  "password",
  "port",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslnegotiation",
  "sslrootcert",
  "target_session_attrs",
  "uselibpqcompat",
  "user",
];
const SSL_MODES = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

/**
 * Returns the address of each server in `postgres://user:password@host:port,host:port/database?…`, in order. Like
 * libpq, except that `target_session_attrs` is always `read-write`, because the state is written.
 * @throws {BadDatabaseUrl}
 */
export function serverUrls(url: string): readonly string[] {
  const [, scheme, login, hosts, database, query] = FORM.exec(url) ?? [];
  if (scheme === undefined || hosts === undefined) throw new BadDatabaseUrl(RULE);
  const parameters = new URLSearchParams(query);
  const target = parameters.get("target_session_attrs") ?? "read-write";
  if (target !== "read-write" && target !== "primary") {
    throw new BadDatabaseUrl("must have target_session_attrs=read-write, because the state is written");
  }
  // Not quoted: it may be the end of a password.
  for (const [name, value] of parameters) {
    if (!PARAMETERS.includes(name)) {
      throw new BadDatabaseUrl(`has an unknown parameter after ?; known are ${PARAMETERS.join(", ")}`);
    }
    if (name === "sslmode" && !SSL_MODES.includes(value)) {
      throw new BadDatabaseUrl(`must have one of these sslmode values: ${SSL_MODES.join(", ")}`);
    }
  }
  parameters.delete("target_session_attrs");
  const names = hosts.split(",");
  const isList = names.length > 1;
  if (isList && names.includes("")) throw new BadDatabaseUrl("has no host before or after a comma");
  if (
    (isList && (parameters.has("host") || parameters.has("port"))) ||
    parameters.get("host")?.includes(",")
  ) {
    throw new BadDatabaseUrl(
      "must list several servers before the database, as in postgres://host:5432,host:5432/database, without host= and port=",
    );
  }
  const rest = `${database}${parameters.size === 0 ? "" : `?${parameters}`}`;
  const urls = names.map((host) => `${scheme}${login === undefined ? "" : `${login}@`}${host}${rest}`);
  if (!urls.every((one) => URL.canParse(one))) throw new BadDatabaseUrl(RULE);
  return urls;
}
