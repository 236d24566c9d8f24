import { type Connection, type PoolClient, Query, type QueryResult, type QueryResultRow } from "pg";

/** A statement of the hot path, prepared by its name once on each connection. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: (string | number | null)[];
}

/** The names that were sent to be prepared on each connection. */
const preparedOn = new WeakMap<Connection, Set<string>>();

/**
 * Runs prepared statements one after the other with one `Sync` behind the last: the server answers all of them in one packet, and runs those
 * that stand outside a transaction as one, which it commits before it answers and undoes when one of them fails
 * (postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING). What follows a statement that fails is not run.
 * @returns what each statement told, in their order
 * @throws {DatabaseError} what the server refused; anything else when the connection broke
 */
export async function runTogether(
  client: PoolClient,
  statements: readonly PreparedStatement[],
): Promise<readonly QueryResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly QueryResult[]>();
  client.query(
    new StatementGroup(statements, (error, results) => {
      if (error) reject(error);
      else resolve(Array.isArray(results) ? results : results === undefined ? [] : [results]);
    }),
  );
  return promise;
}

/** The rows of one of {@link runTogether}'s results. */
export function rowsOf<Row extends QueryResultRow>(result: QueryResult | undefined): readonly Row[] {
  return result?.rows ?? [];
}

type Callback = (error: Error | null | undefined, results?: QueryResult | QueryResult[]) => void;

/** The client sends it in its turn like a query of its own, and gathers what it tells as for a query of several statements. */
class StatementGroup extends Query {
  readonly callback: Callback;

  constructor(statements: readonly PreparedStatement[], callback: Callback) {
    super({ text: "" });
    const firstSent: string[] = [];
    let sentOn: Set<string> | undefined;
    this.callback = (error, results) => {
      // Whether they came to be prepared is not known: the next one sends them again.
      if (error) for (const name of firstSent) sentOn?.delete(name);
      callback(error, results);
    };
    this.submit = (connection) => {
      sentOn = preparedOn.get(connection) ?? new Set();
      preparedOn.set(connection, sentOn);
      connection.stream.cork();
      for (const { name, text, values } of statements) {
        if (!sentOn.has(name)) {
          // One of this name may be there, when an earlier group failed behind it; to close none is no error.
          connection.close({ type: "S", name }, true);
          connection.parse({ name, text, types: [] }, true);
          sentOn.add(name);
          firstSent.push(name);
        }
        connection.bind({ statement: name, values: values.map(asParameter) }, true);
        connection.describe({ type: "P", name: "" }, true);
        connection.execute({}, true);
      }
      connection.sync();
      connection.stream.uncork();
    };
  }
}

function asParameter(value: string | number | null): string | null {
  return value === null ? null : String(value);
}
