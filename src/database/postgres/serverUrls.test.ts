import { describe, expect, it } from "vitest";
import { serverUrls } from "./serverUrls.ts";

describe("the servers of a database", () => {
  it.each<[string, readonly string[]]>([
    ["postgres://u:p@one:5433/db", ["postgres://u:p@one:5433/db"]],
    ["postgresql://one/db", ["postgresql://one/db"]],
    ["postgres:///db?host=%2Frun%2Fpostgresql", ["postgres:///db?host=%2Frun%2Fpostgresql"]],
    [
      "postgres://u:p@one:5433,two,10.0.0.3:5434/db?target_session_attrs=read-write&sslmode=require",
      [
        "postgres://u:p@one:5433/db?sslmode=require",
        "postgres://u:p@two/db?sslmode=require",
        "postgres://u:p@10.0.0.3:5434/db?sslmode=require",
      ],
    ],
    ["postgres://one,two/db", ["postgres://one/db", "postgres://two/db"]],
    ["postgres://one/db?target_session_attrs=primary", ["postgres://one/db"]],
    [
      "postgres://u:p@[::1]:5433,[2001:db8::2]/db",
      ["postgres://u:p@[::1]:5433/db", "postgres://u:p@[2001:db8::2]/db"],
    ],
    [
      "postgres://u:a,b@c%2Fd%40e@one,two:5433/db",
      ["postgres://u:a,b@c%2Fd%40e@one/db", "postgres://u:a,b@c%2Fd%40e@two:5433/db"],
    ],
  ])("of %s", (url, servers) => {
    expect(serverUrls(url)).toEqual(servers);
  });

  it.each([
    ["mysql://u:tr0ub4dor@one/db", "must be postgres://"],
    ["postgres://u:tr0ub4/dor@one/db", "percent-encoded"],
    ["postgres://u:tr0ub4dor@one/db#x", "must be postgres://"],
    ["postgres://u:tr0ub4dor@one:port,two/db", "must be postgres://"],
    ["postgres://u:tr0ub4dor@one,::1/db", "must be postgres://"],
    ["postgres://u:tr0ub4dor@one,,two/db", "no host before or after a comma"],
    ["postgres://u:tr0ub4dor@one,/db", "no host before or after a comma"],
    ["postgres://u:tr0ub4dor@one,two/db?port=5433", "without host= and port="],
    ["postgres://u:tr0ub4dor@/db?host=one,two", "without host= and port="],
    ["postgres://u:tr0ub4dor@one,two/db?target_session_attrs=any", "read-write"],
    ["postgres://u:tr0ub4dor@one/db?target_session_attrs=standby", "read-write"],
    ["postgres://u:pass?tr0ub4dor@one/db", "unknown parameter"],
    ["postgres://u:tr0ub4dor@one/db?sslmode=tr0ub4dor", "sslmode values"],
  ])("are refused in %s", (url, rule) => {
    expect(() => serverUrls(url)).toThrow(rule);
    expect(() => serverUrls(url)).not.toThrow("tr0ub4");
  });
});
