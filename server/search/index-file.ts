import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { nameOf } from './expression.ts'
import { fieldWeights, matchPoints, overPoints } from './ranking.ts'

/** A document as the index holds it, all plain text. */
type Entry = {
  kind: string
  /** Unique in the whole index. */
  key: string
  title: string
  /** Its title and its other names, as {@link calledText} writes them. */
  called: string
  names: string
  tags: string
  intro: string
  path: string
  date: string | null
  /** The last day of what is over after it, YYYY-MM-DD. */
  until: string | null
  /** The id of its picture. */
  picture: string | null
  /** Points of its kind, see `ranking.ts`. */
  titlePoints: number
  points: number
}

/** A result as the index reports it: texts with {@link marks} around what matches. */
export type FoundEntry = Pick<
  Entry,
  'kind' | 'title' | 'tags' | 'intro' | 'path' | 'date' | 'picture'
> & {
  body: string
}

/** What is looked for. */
export type Query = {
  /** An FTS5 expression. */
  match: string
  /** The term as names are compared, see `nameOf`. */
  name: string
  /** One kind, or null for all. */
  kind: string | null
  /** Today in Helsinki, YYYY-MM-DD. */
  today: string
}

/** The names of a document, each between lines, so a whole one can be looked for. */
export const calledText = (names: readonly string[]): string =>
  `\n${names.map(nameOf).join('\n')}\n`

/** Control characters that no indexed text contains. */
export const marks = { open: '\u0002', close: '\u0003' }

/** The full-text index (SQLite FTS5), in its own file. */
export type IndexFile = {
  /** Adds a document, or changes it; its long text stays as it is. */
  put(entry: Entry): void
  putBody(key: string, body: string): void
  remove(key: string): void
  /** Runs several changes as one. */
  together(work: () => void): void
  /** How many documents of each kind match. @param match an FTS5 expression */
  counts(match: string): Map<string, number>
  /** The best matches first, see `ranking.ts`. */
  find(query: Query, limit: number, offset: number): FoundEntry[]
  /** A document with a word, in any place; null where there is none. */
  sample(word: string): FoundEntry | null
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
  until TEXT,
  picture TEXT,
  title_points INTEGER NOT NULL,
  points INTEGER NOT NULL,
  called TEXT NOT NULL,
  title TEXT NOT NULL,
  names TEXT NOT NULL,
  tags TEXT NOT NULL,
  intro TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE texts USING fts5 (
  title, names, tags, intro, body,
  content = 'entries', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO texts (texts, rank) VALUES ('rank', 'bm25(${Object.values(fieldWeights).join(', ')})');
CREATE VIRTUAL TABLE words USING fts5vocab ('texts', 'row');
CREATE TRIGGER entry_in AFTER INSERT ON entries BEGIN
  INSERT INTO texts (rowid, title, names, tags, intro, body)
  VALUES (new.id, new.title, new.names, new.tags, new.intro, new.body);
END;
CREATE TRIGGER entry_out AFTER DELETE ON entries BEGIN
  INSERT INTO texts (texts, rowid, title, names, tags, intro, body)
  VALUES ('delete', old.id, old.title, old.names, old.tags, old.intro, old.body);
END;
CREATE TRIGGER entry_changed AFTER UPDATE ON entries BEGIN
  INSERT INTO texts (texts, rowid, title, names, tags, intro, body)
  VALUES ('delete', old.id, old.title, old.names, old.tags, old.intro, old.body);
  INSERT INTO texts (rowid, title, names, tags, intro, body)
  VALUES (new.id, new.title, new.names, new.tags, new.intro, new.body);
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
    `INSERT INTO entries (kind, key, path, date, until, picture, title_points, points, called,
       title, names, tags, intro, body)
     VALUES (@kind, @key, @path, @date, @until, @picture, @titlePoints, @points, @called,
       @title, @names, @tags, @intro, '')
     ON CONFLICT (key) DO UPDATE SET path = @path, date = @date, until = @until, picture = @picture,
       title_points = @titlePoints, points = @points,
       called = @called, title = @title, names = @names, tags = @tags, intro = @intro`,
  )
  const putBody = db.prepare('UPDATE entries SET body = ? WHERE key = ?')
  const remove = db.prepare('DELETE FROM entries WHERE key = ?')
  const counts = db.prepare(
    `SELECT kind, count(*) AS count FROM texts JOIN entries ON id = texts.rowid
     WHERE texts MATCH ? GROUP BY kind`,
  )
  // Which documents, in which order; what they say is read of those alone that are shown.
  const ranked = db
    .prepare(
      `SELECT texts.rowid AS id FROM texts JOIN entries ON id = texts.rowid
     WHERE texts MATCH @match AND (@kind IS NULL OR kind = @kind)
     ORDER BY CASE
         WHEN instr(called, @name) > 0 THEN title_points + ${matchPoints.named}
         WHEN texts.rowid IN (SELECT rowid FROM texts WHERE texts MATCH @inTitle)
           THEN title_points + ${matchPoints.title}
         WHEN texts.rowid IN (SELECT rowid FROM texts WHERE texts MATCH @inWords)
           THEN points + ${matchPoints.words}
         ELSE points + ${matchPoints.anywhere} END
         - CASE WHEN until < @today THEN ${overPoints} ELSE 0 END DESC,
       CASE WHEN until < @today THEN julianday(@today) - julianday(until)
         ELSE julianday(until) - julianday(@today) END,
       rank
     LIMIT @limit OFFSET @offset`,
    )
    .pluck()
  const marked = (column: number) => `highlight(texts, ${column}, char(2), char(3))`
  // FTS5 looks at whole numbers alone for a row, and JavaScript's are bound as others.
  const shown = db.prepare(
    `SELECT kind, path, date, picture, ${marked(0)} AS title, ${marked(2)} AS tags,
       ${marked(3)} AS intro, ${marked(4)} AS body
     FROM texts JOIN entries ON id = texts.rowid
     WHERE texts MATCH @match AND texts.rowid = CAST(@id AS INTEGER)`,
  )
  const sample = db.prepare(`SELECT rowid FROM texts WHERE texts MATCH ? LIMIT 1`).pluck()
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
    find({ match, name, kind, today }, limit, offset) {
      const ids = ranked.all({
        match,
        inTitle: `{title names} : (${match})`,
        inWords: `{title names intro} : (${match})`,
        name: calledText([name]),
        kind,
        today,
        limit,
        offset,
      })
      return ids.map((id) => shown.get({ match, id }) as FoundEntry)
    },
    sample(word) {
      const match = `"${word}"`
      const id = sample.get(match)
      return id === undefined ? null : (shown.get({ match, id }) as FoundEntry)
    },
    wordsAfter: (word, limit) =>
      wordsAfter.all(word, limit) as { word: string; documents: number }[],
    close() {
      db.close()
      rmSync(file, { force: true })
    },
  }
}
