CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE study (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'done', 'closed')),
  step INTEGER NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  chain TEXT NOT NULL,
  duels INTEGER NOT NULL,
  created_at REAL NOT NULL
);

-- Only the open step has a run: the learner's state at its opening.
CREATE TABLE step (
  study INTEGER NOT NULL REFERENCES study (id),
  number INTEGER NOT NULL,
  blocks TEXT NOT NULL,
  run TEXT,
  answer TEXT NOT NULL,
  duels INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  chain TEXT NOT NULL,
  opened_at REAL NOT NULL,
  PRIMARY KEY (study, number)
) WITHOUT ROWID;

-- Rows are added and never removed; `counted` is the only column that changes, by an undo.
CREATE TABLE answer (
  study INTEGER NOT NULL REFERENCES study (id),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('told', 'late', 'undo', 'skip')),
  step INTEGER NOT NULL,
  place INTEGER NOT NULL,
  winner TEXT,
  client TEXT NOT NULL,
  key TEXT,
  at REAL NOT NULL,
  chain TEXT NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (study, seq)
) WITHOUT ROWID;

CREATE UNIQUE INDEX answer_counted ON answer (study, step, place) WHERE counted = 1;
CREATE UNIQUE INDEX answer_key ON answer (study, client, key) WHERE key IS NOT NULL;

CREATE TABLE lease (
  study INTEGER NOT NULL REFERENCES study (id),
  client TEXT NOT NULL,
  step INTEGER NOT NULL,
  place INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at REAL NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (study, client)
) WITHOUT ROWID;

CREATE TABLE token (
  hash TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  study TEXT,
  label TEXT NOT NULL,
  created_at REAL NOT NULL,
  expires_at REAL,
  revoked_at REAL
) WITHOUT ROWID;

CREATE TABLE asset (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  body BLOB NOT NULL
);
