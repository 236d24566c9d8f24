/** For tests: the ways in which people and programs write the KVK number 50000012, and similar texts. */

export const WRITTEN_KVK_NUMBERS: readonly string[] = [
  ...[
    "50000012",
    " 50000012 ",
    "50.000.012",
    "5000 0012",
    "50 00 00 12",
    "50.00.00.12",
    "5000.0012",
    "5000-0012",
    "50,000,012",
    "50-000-012",
    "50'000'012",
  ],
  ...["50000012.0", "50000012,00", "KVK 50000012", "KVK50000012", "kvk: 50000012", "KvK-nummer: 50000012"],
  ...[
    "KvK nr. 50000012",
    "KVK-nr 50000012",
    "K.v.K. 50000012",
    "CoC number 50000012",
    "Handelsregisternummer 50000012",
  ],
  ...["Kamer van Koophandel: 50000012", "Chamber of Commerce no. 50000012", "dossiernummer 50000012"],
  ...["'50000012", '="50000012"', "5,0000012E7", "5.0000012e+07", "\u00a050000012\u00a0", "5000\u00a00012"],
  ...["\u200b50000012", "\ufeff50000012", "\u202d50000012\u202c", "５００００012"],
];

/** Seven digits: the leading zero is missing. */
export const SHORT_KVK_NUMBERS: readonly string[] = ["5000001", "5000001.0", "KVK 5000001"];

export const OTHER_NUMBERS: readonly string[] = [
  ...[
    "500000120",
    "500001",
    "0612345678",
    "+31 6 12345678",
    "31-12-2026",
    "5,00E+07",
    "onbekend",
    "NL123456782B01",
  ],
  ...["50000012 B.V.", "€ 50000012", "50000012/1", "-50000012", "5000001x", "50.000,012"],
];
