CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE study (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'done', 'closed')),
  step BIGINT NOT NULL,
  version BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  chain TEXT NOT NULL,
  duels BIGINT NOT NULL,
  created_at DOUBLE PRECISION NOT NULL
);

-- Only the open step has a run: the learner's state at its opening.
CREATE TABLE step (
  study BIGINT NOT NULL REFERENCES study (id),
  number BIGINT NOT NULL,
  blocks TEXT NOT NULL,
  run TEXT,
  answer TEXT NOT NULL,
  duels BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  chain TEXT NOT NULL,
  opened_at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (study, number)
);

-- Rows are added and never removed; `counted` is the only column that changes, by an undo.
CREATE TABLE answer (
  study BIGINT NOT NULL REFERENCES study (id),
  seq BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('told', 'late', 'undo', 'skip')),
  step BIGINT NOT NULL,
  place BIGINT NOT NULL,
  winner TEXT,
  client TEXT NOT NULL,
  key TEXT,
  at DOUBLE PRECISION NOT NULL,
  chain TEXT NOT NULL,
  counted BIGINT NOT NULL,
  PRIMARY KEY (study, seq)
);

CREATE UNIQUE INDEX answer_counted ON answer (study, step, place) WHERE counted = 1;
CREATE UNIQUE INDEX answer_key ON answer (study, client, key) WHERE key IS NOT NULL;

CREATE TABLE lease (
  study BIGINT NOT NULL REFERENCES study (id),
  client TEXT NOT NULL,
  step BIGINT NOT NULL,
  place BIGINT NOT NULL,
  number BIGINT NOT NULL,
  at DOUBLE PRECISION NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (study, client)
);

CREATE TABLE token (
  hash TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  study TEXT,
  label TEXT NOT NULL,
  created_at DOUBLE PRECISION NOT NULL,
  expires_at DOUBLE PRECISION,
  revoked_at DOUBLE PRECISION
);

CREATE TABLE asset (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  body BYTEA NOT NULL
);
