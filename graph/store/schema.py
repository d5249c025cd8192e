"""The tables of the index. `SCHEMA_VERSION` changes with every change here: an index of another version is rebuilt.

The syntactic resolution of a reference lies in the row of the reference itself (`outcome`, `target`, `external`),
since every reference has exactly one; its further targets or candidates are rows of `syntactic_target`. Semantic
resolutions are rows of `semantic`. The view `resolution` shows both alike, and `effective` gives the targets that
count.
"""

SCHEMA_VERSION = 2
APPLICATION_ID = 0x54694C6E
"""Marks an SQLite file as an index (`PRAGMA application_id`)."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE file (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, raw_path BLOB, language TEXT NOT NULL, hash BLOB NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, encoding TEXT NOT NULL, line_ending TEXT NOT NULL,
    parse_status INTEGER NOT NULL, parse_detail TEXT, damage TEXT NOT NULL, flags INTEGER NOT NULL,
    package TEXT NOT NULL, line_starts BLOB NOT NULL, source BLOB, slots BLOB);
CREATE TABLE excluded (
    path TEXT PRIMARY KEY, raw_path BLOB, reason TEXT NOT NULL, detail TEXT, is_directory INTEGER NOT NULL,
    language TEXT, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE manifest (path TEXT PRIMARY KEY, hash BLOB NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE facts (file INTEGER PRIMARY KEY, interface BLOB NOT NULL, reference BLOB NOT NULL);
CREATE TABLE definition (
    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, qualified_name TEXT NOT NULL,
    ordinal INTEGER NOT NULL, parent INTEGER, start INTEGER NOT NULL, end INTEGER NOT NULL,
    name_start INTEGER NOT NULL, name_end INTEGER NOT NULL, signature TEXT NOT NULL, doc TEXT NOT NULL,
    visibility INTEGER NOT NULL, flags INTEGER NOT NULL, condition TEXT NOT NULL);
CREATE TABLE reference (
    id INTEGER PRIMARY KEY, end INTEGER NOT NULL, kind INTEGER NOT NULL, name INTEGER NOT NULL, qualifier
    INTEGER NOT NULL,
    enclosing INTEGER NOT NULL, outcome INTEGER NOT NULL, target INTEGER, external INTEGER);
CREATE TABLE outcome (
    id INTEGER PRIMARY KEY, status INTEGER NOT NULL, engine INTEGER, reason TEXT NOT NULL);
CREATE TABLE syntactic_target (
    reference INTEGER NOT NULL, definition INTEGER NOT NULL, PRIMARY KEY (reference, definition)) WITHOUT ROWID;
CREATE TABLE engine (
    id INTEGER PRIMARY KEY, layer INTEGER NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
    UNIQUE (layer, name, version));
CREATE TABLE external (
    id INTEGER PRIMARY KEY, package TEXT NOT NULL, version TEXT NOT NULL, symbol TEXT NOT NULL,
    UNIQUE (package, symbol, version));
CREATE TABLE context (
    id TEXT PRIMARY KEY, ecosystem TEXT NOT NULL, root TEXT NOT NULL, variant TEXT NOT NULL, inputs TEXT NOT NULL,
    server TEXT NOT NULL, version TEXT NOT NULL, health TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE context_set (id INTEGER PRIMARY KEY, contexts TEXT NOT NULL UNIQUE);
CREATE TABLE context_file (
    context TEXT NOT NULL, file INTEGER NOT NULL, membership INTEGER NOT NULL, detail TEXT NOT NULL,
    PRIMARY KEY (context, file)) WITHOUT ROWID;
CREATE TABLE settled (
    file INTEGER NOT NULL, context TEXT NOT NULL, plan TEXT NOT NULL, PRIMARY KEY (file, context)) WITHOUT ROWID;
CREATE TABLE resolved (file INTEGER PRIMARY KEY, hash BLOB NOT NULL);
CREATE TABLE semantic (
    reference INTEGER NOT NULL, n INTEGER NOT NULL, engine INTEGER NOT NULL, context_set INTEGER NOT NULL,
    status INTEGER NOT NULL, reason TEXT NOT NULL, target INTEGER, external INTEGER, source_hash BLOB NOT NULL,
    target_hash BLOB, PRIMARY KEY (reference, n)) WITHOUT ROWID;
CREATE TABLE verdict (reference INTEGER PRIMARY KEY, verdict INTEGER NOT NULL, external INTEGER, reason TEXT NOT NULL);
CREATE TABLE verdict_target (
    reference INTEGER NOT NULL, definition INTEGER NOT NULL, PRIMARY KEY (reference, definition)) WITHOUT ROWID;
CREATE TABLE package (
    id INTEGER PRIMARY KEY, ecosystem TEXT NOT NULL, name TEXT NOT NULL, root TEXT NOT NULL, manifest TEXT NOT NULL,
    import_names TEXT NOT NULL, dependencies TEXT NOT NULL, UNIQUE (ecosystem, root, name));
CREATE TABLE relation (
    source INTEGER NOT NULL, target INTEGER NOT NULL, kind INTEGER NOT NULL, layer INTEGER NOT NULL, rule TEXT NOT NULL,
    PRIMARY KEY (source, target, kind, layer)) WITHOUT ROWID;
CREATE TABLE unlinked (file INTEGER PRIMARY KEY, reason TEXT NOT NULL);
CREATE TABLE depends (asker INTEGER NOT NULL, asked INTEGER NOT NULL, PRIMARY KEY (asker, asked)) WITHOUT ROWID;
CREATE TABLE run (
    id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, stage TEXT NOT NULL, started TEXT NOT NULL, seconds
    REAL NOT NULL,
    count INTEGER NOT NULL, detail TEXT NOT NULL);
CREATE VIRTUAL TABLE definition_text USING fts5 (
    name, qualified_name, signature, doc, content='definition', content_rowid='id', detail=none, columnsize=0);
"""

FILE_INDEXES = """
CREATE UNIQUE INDEX file_path ON file (path);
CREATE UNIQUE INDEX text_value ON text (value);
CREATE INDEX definition_name ON definition (name);
CREATE INDEX definition_parent ON definition (parent);
"""
"""On what extraction gives."""

LINK_INDEXES = """
CREATE INDEX reference_target ON reference (target) WHERE target IS NOT NULL;
CREATE INDEX reference_external ON reference (external) WHERE external IS NOT NULL;
CREATE INDEX reference_unknown ON reference (name) WHERE target IS NULL AND external IS NULL;
CREATE INDEX syntactic_target_definition ON syntactic_target (definition);
CREATE INDEX semantic_target ON semantic (target) WHERE target IS NOT NULL;
CREATE INDEX verdict_target_definition ON verdict_target (definition);
CREATE INDEX relation_target ON relation (target);
CREATE INDEX depends_asked ON depends (asked);
"""
"""On what linking and the semantic pass give."""

VIEWS = """
CREATE VIEW resolution AS
    SELECT r.id AS reference, 0 AS layer, o.engine AS engine, NULL AS context_set, o.status AS status, o.reason
    AS reason,
           r.target AS target, r.external AS external
    FROM reference r JOIN outcome o ON o.id = r.outcome
    WHERE NOT EXISTS (SELECT 1 FROM syntactic_target t WHERE t.reference = r.id)
    UNION ALL
    SELECT r.id, 0, o.engine, NULL, o.status, o.reason, t.definition, NULL
    FROM syntactic_target t JOIN reference r ON r.id = t.reference JOIN outcome o ON o.id = r.outcome
    UNION ALL
    SELECT reference, 1, engine, context_set, status, reason, target, external FROM semantic;

CREATE VIEW effective AS
    SELECT r.id AS reference, r.target AS definition
    FROM reference r
    WHERE r.target IS NOT NULL AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.reference = r.id)
    UNION ALL
    SELECT t.reference, t.definition
    FROM syntactic_target t
    WHERE NOT EXISTS (SELECT 1 FROM verdict v WHERE v.reference = t.reference)
      AND EXISTS (SELECT 1 FROM reference r JOIN outcome o ON o.id = r.outcome WHERE r.id = t.reference AND
      o.status = 0)
    UNION ALL
    SELECT reference, definition FROM verdict_target;

CREATE VIEW edge AS
    SELECT r.enclosing AS source, e.definition AS target, r.kind AS kind, r.id AS reference
    FROM effective e JOIN reference r ON r.id = e.reference;
"""
