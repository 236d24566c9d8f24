/** Lists as they must not be: statements that make one so, and the rule that it breaks. */

const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();

/** Two numbers, one of them answered and charged, as a service leaves it when it is killed. */
const SOUND = {
  status: "'running'",
  reason: "null",
  sent: "3",
  duplicates: "1",
  found: "1",
  failed: "0",
  charged: "0",
  max_tokens: "null",
  created_at_ms: String(NOW_MS),
  ended_at_ms: "null",
  step: "1",
  lease_until_ms: String(NOW_MS),
  due_at_ms: String(NOW_MS),
  is_test: "0",
};

const RESULT = `insert into job_results select 'broken', account_id, 0, '{"é":1}' || LINE, 9, 0, '' from jobs`;

/** The list with other columns, its number that is left, and its result; `LINE` stands for a line break. */
function listWith(changed: Partial<typeof SOUND>, more: { left?: string; result?: string } = {}): string {
  const columns = { ...SOUND, ...changed };
  const { left = "taken = 1", result = RESULT } = more;
  return [
    `insert into jobs (id, account_id, key_id, kind, estimated, claim, served_at_ms, ${Object.keys(columns).join(", ")})
     select 'broken', account_id, id, 'lookup', 2, 1, 0, ${Object.values(columns).join(", ")} from keys where id not like 'page%'`,
    `insert into job_blocks select 'broken', account_id, 0, 0, 0, 2, 0, '["1","2"]' from jobs`,
    `update job_blocks set ${left}`,
    result,
  ].join(";\n");
}

export const SOUND_LIST = listWith({});
export const NO_LISTS = "delete from job_results; delete from job_blocks; delete from jobs";

const ENDED = { status: "'completed'", ended_at_ms: String(NOW_MS), due_at_ms: "null", lease_until_ms: "0" };
const RECEIVING = { status: "'receiving'", due_at_ms: "null", step: "0", found: "0" };

export const BROKEN_LISTS: readonly (readonly [string, string])[] = [
  ["progress of lists", listWith({}, { left: "taken = 0" })],
  ["progress of lists", listWith({}, { left: "taken = 3" })],
  ["progress of lists", listWith({ ended_at_ms: String(NOW_MS) })],
  ["progress of lists", listWith({ ...ENDED, failed: "1" })],
  ["progress of lists", listWith(ENDED, { left: "taken = 2" })],
  ["progress of lists", `${SOUND_LIST}; update job_blocks set job_id = 'gone'`],
  ["claims of lists", listWith({ lease_until_ms: String(NOW_MS + HOUR_MS) })],
  ["claims of lists", listWith({ due_at_ms: String(NOW_MS + 72 * HOUR_MS) })],
  ["claims of lists", listWith({}, { left: `taken = 1, due_at_ms = ${NOW_MS + 72 * HOUR_MS}` })],
  ["claims of lists", listWith({ due_at_ms: "null" })],
  ["claims of lists", listWith({ status: "'paused'", reason: "'allowance'", due_at_ms: "null" })],
  ["claims of lists", listWith({ status: "'paused'", reason: "'caller'" })],
  ["claims of lists", listWith({ status: "'paused'" })],
  [
    "claims of lists",
    listWith(
      { ...RECEIVING, created_at_ms: String(NOW_MS - 3 * HOUR_MS) },
      { left: "taken = 0", result: "select 1" },
    ),
  ],
  ["results of lists", listWith({}, { result: "select 1" })],
  ["results of lists", listWith({ step: "0" })],
  ["results of lists", listWith({}, { result: RESULT.replace("9, 0", "8, 0") })],
  ["results of lists", `${SOUND_LIST}; update job_results set job_id = 'gone'`],
  ["charges of lists", listWith({ charged: "1" })],
  ["charges of lists", listWith({ charged: "-1" })],
  ["charges of lists", listWith({ charged: "1", is_test: "1" })],
  [
    "charges of lists",
    `${listWith({ charged: "2" })}; insert into ledger select account_id, id, '2026-01-01', 'jobs.lookup', 0, 2, 0, 0, 0, 0, 0 from keys where id not like 'page%'`,
  ],
  [
    "charges of lists",
    `${listWith({ charged: "1", max_tokens: "0" })}; insert into ledger select account_id, id, '2026-01-01', 'jobs.lookup', 0, 1, 0, 0, 0, 0, 0 from keys where id not like 'page%'`,
  ],
];
