import type { ChargeRequest, Decision, TellEarly } from "../../metering/store.ts";

/** The ways to a decision, each for what the one before left open. */
export interface Ways {
  /** Whether the account of a request has an open tab, as far as is known: told alike of all its requests, so that they keep their order. */
  hasTab(request: ChargeRequest): boolean;
  /** Charges calls to open tabs. */
  charge(requests: readonly ChargeRequest[]): Promise<Some>;
  /** Has the database grant what needs no more than a look. */
  grant(requests: readonly ChargeRequest[]): Promise<Some>;
  /** Decides all by the rules. */
  decide(requests: readonly ChargeRequest[]): Promise<readonly Decision[]>;
}

/** By index, the decision or `undefined` for a request that nothing was decided about or changed for; shorter where nothing was. */
type Some = readonly (Decision | undefined)[];

/**
 * So many requests are worth having the database grant them; fewer are decided by the node at once, as the statement that grants costs more than
 * the round trip that it saves.
 */
const WORTH_GRANTING = 4;

type Way = (requests: readonly ChargeRequest[], tellEarly: TellEarly) => Promise<readonly Decision[]>;

/**
 * What has a tab is charged to it; beside that the database grants what it can of the rest, and the node decides what is left of either. What one
 * of them has decided is told before anything else can fail.
 */
export function byWays(
  requests: readonly ChargeRequest[],
  tellEarly: TellEarly,
  ways: Ways,
): Promise<readonly Decision[]> {
  const decide: Way = (left) => ways.decide(left);
  const tabsBeside = (others: Way) =>
    apart(
      (request) => ways.hasTab(request),
      step((asked) => ways.charge(asked), decide),
      others,
    );
  // What the database does not grant may be of accounts whose tabs it has just told of.
  const grant = step((asked) => ways.grant(asked), tabsBeside(decide));
  const rest: Way = (asked, tell) =>
    asked.length < WORTH_GRANTING ? decide(asked, tell) : grant(asked, tell);
  return tabsBeside(rest)(requests, tellEarly);
}

/** One step, and another way for what it leaves open. */
function step(first: (requests: readonly ChargeRequest[]) => Promise<Some>, rest: Way): Way {
  return async (requests, tellEarly) => {
    const decided = await first(requests);
    const open = requests.flatMap((_, index) => (decided[index] === undefined ? [index] : []));
    if (open.length === requests.length) return rest(requests, tellEarly);
    if (open.length === 0) return requests.flatMap((_, index) => decided[index] ?? []);
    tellEarly(decided);
    const others = await part(requests, open, rest, tellEarly);
    return requests.flatMap((_, index) => decided[index] ?? others[index] ?? []);
  };
}

/** Two ways side by side, each for its requests: what the one has decided is told at once, however long the other takes. */
function apart(isOfFirst: (request: ChargeRequest) => boolean, first: Way, second: Way): Way {
  return async (requests, tellEarly) => {
    const ones: number[] = [];
    const others: number[] = [];
    for (const [index, request] of requests.entries()) (isOfFirst(request) ? ones : others).push(index);
    if (ones.length === 0) return second(requests, tellEarly);
    if (others.length === 0) return first(requests, tellEarly);
    let decidedWays = 0;
    const goTelling = async (indexes: readonly number[], way: Way): Promise<Some> => {
      const decided = await part(requests, indexes, way, tellEarly);
      decidedWays += 1;
      if (decidedWays < 2) tellEarly(decided);
      return decided;
    };
    const [one, other] = await Promise.allSettled([goTelling(ones, first), goTelling(others, second)]);
    if (one.status === "rejected") throw one.reason;
    if (other.status === "rejected") throw other.reason;
    return requests.flatMap((_, index) => one.value[index] ?? other.value[index] ?? []);
  };
}

/** Goes a way with some of the requests; what it tells and gives has their places among all. */
async function part(
  requests: readonly ChargeRequest[],
  indexes: readonly number[],
  way: Way,
  tellEarly: TellEarly,
): Promise<Some> {
  const placed = (decisions: Some): Some => {
    const all = openOf(requests.length);
    for (const [place, index] of indexes.entries()) all[index] = decisions[place];
    return all;
  };
  const asked = indexes.flatMap((index) => requests[index] ?? []);
  return placed(await way(asked, (decisions) => tellEarly(placed(decisions))));
}

function openOf(length: number): (Decision | undefined)[] {
  return new Array<Decision | undefined>(length).fill(undefined);
}
