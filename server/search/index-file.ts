import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** A document as the index holds it, all plain text. */
type Entry = {
  kind: string
  /** Unique in the whole index. */
  key: string
  title: string
  tags: string
  intro: string
  path: string
  date: string | null
}

/** A result as the index reports it: texts with {@link marks} around what matches. */
export type FoundEntry = Omit<Entry, 'key'> & { body: string }

/** Control characters that no indexed text contains. */
export const marks = { open: '\u0002', close: '\u0003' }

/** The full-text index (SQLite FTS5), in a file of its own. */
export type IndexFile = {
  /** Adds a document, or changes it; its long text stays as it is. */
  put(entry: Entry): void
  putBody(key: string, body: string): void
  remove(key: string): void
  /** Runs several changes as one. */
  together(work: () => void): void
  /** How many documents of each kind match. @param match an FTS5 expression */
  counts(match: string): Map<string, number>
  /** The best matches first. */
  find(match: string, kind: string | null, limit: number, offset: number): FoundEntry[]
  /** Some words after a word, in the order of their bytes, with how many documents have them. */
  wordsAfter(word: string, limit: number): { word: string; documents: number }[]
  close(): void
}

const schema = `
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  date TEXT,
  title TEXT NOT NULL,
  tags TEXT NOT NULL,
  intro TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE texts USING fts5 (
  title, tags, intro, body,
  content = 'entries', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO texts (texts, rank) VALUES ('rank', 'bm25(40.0, 10.0, 2.0, 1.0)');
CREATE VIRTUAL TABLE words USING fts5vocab ('texts', 'row');
CREATE TRIGGER entry_in AFTER INSERT ON entries BEGIN
  INSERT INTO texts (rowid, title, tags, intro, body)
  VALUES (new.id, new.title, new.tags, new.intro, new.body);
END;
CREATE TRIGGER entry_out AFTER DELETE ON entries BEGIN
  INSERT INTO texts (texts, rowid, title, tags, intro, body)
  VALUES ('delete', old.id, old.title, old.tags, old.intro, old.body);
END;
CREATE TRIGGER entry_changed AFTER UPDATE ON entries BEGIN
  INSERT INTO texts (texts, rowid, title, tags, intro, body)
  VALUES ('delete', old.id, old.title, old.tags, old.intro, old.body);
  INSERT INTO texts (rowid, title, tags, intro, body)
  VALUES (new.id, new.title, new.tags, new.intro, new.body);
END;
`

/**
 * Makes an empty index. Everything in it is derived, so an earlier file is thrown away and nothing
 * waits for the disk.
 * @param file where; its folder is made
 */
export function createIndexFile(file: string): IndexFile {
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const db = new Database(file)
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -16000')
  db.exec(schema)

  const put = db.prepare(
    `INSERT INTO entries (kind, key, path, date, title, tags, intro, body)
     VALUES (@kind, @key, @path, @date, @title, @tags, @intro, '')
     ON CONFLICT (key) DO UPDATE SET path = @path, date = @date,
       title = @title, tags = @tags, intro = @intro`,
  )
  const putBody = db.prepare('UPDATE entries SET body = ? WHERE key = ?')
  const remove = db.prepare('DELETE FROM entries WHERE key = ?')
  const counts = db.prepare(
    `SELECT kind, count(*) AS count FROM texts JOIN entries ON id = texts.rowid
     WHERE texts MATCH ? GROUP BY kind`,
  )
  const marked = (column: number) => `highlight(texts, ${column}, char(2), char(3))`
  const find = db.prepare(
    `SELECT kind, path, date, ${marked(0)} AS title, ${marked(1)} AS tags,
       ${marked(2)} AS intro, ${marked(3)} AS body
     FROM texts JOIN entries ON id = texts.rowid
     WHERE texts MATCH @match AND (@kind IS NULL OR kind = @kind)
     ORDER BY rank LIMIT @limit OFFSET @offset`,
  )
  const wordsAfter = db.prepare(
    'SELECT term AS word, doc AS documents FROM words WHERE term > ? LIMIT ?',
  )
  const together = db.transaction((work: () => void) => work())

  return {
    put: (entry) => void put.run(entry),
    putBody: (key, body) => void putBody.run(body, key),
    remove: (key) => void remove.run(key),
    together,
    counts: (match) =>
      new Map(
        (counts.all(match) as { kind: string; count: number }[]).map(({ kind, count }) => [
          kind,
          count,
        ]),
      ),
    find: (match, kind, limit, offset) => find.all({ match, kind, limit, offset }) as FoundEntry[],
    wordsAfter: (word, limit) =>
      wordsAfter.all(word, limit) as { word: string; documents: number }[],
    close() {
      db.close()
      rmSync(file, { force: true })
    },
  }
}
