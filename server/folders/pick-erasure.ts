import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** Prepares what finds and erases the words of people in picks. */
export function createPickErasure(db: Database) {
  const submitted = db.prepare(`SELECT folders.title AS folder, s.name, s.note, s.at, s.picks
    FROM folder_submissions AS s JOIN folder_pickers AS p ON p.id = s.picker
      JOIN folders ON folders.id = p.folder
    WHERE instr(lower(concat_ws(char(10), s.name, s.note, s.picks)), lower(:text)) > 0
    ORDER BY s.id`)
  const open = db.prepare(`SELECT folders.title AS folder, p.name, path, comment, at
    FROM folder_picks JOIN folder_pickers AS p ON p.id = picker
      JOIN folders ON folders.id = p.folder JOIN folder_files ON folder_files.id = file
    WHERE instr(lower(concat_ws(char(10), p.name, comment)), lower(:text)) > 0 ORDER BY p.id`)
  const redactions = [
    `UPDATE folder_submissions SET name = '[erased]', note = NULL, picks = '[]'
      WHERE instr(lower(concat_ws(char(10), name, note, picks)), lower(:text)) > 0`,
    'UPDATE folder_pickers SET name = NULL WHERE instr(lower(name), lower(:text)) > 0',
    'UPDATE folder_picks SET comment = NULL WHERE instr(lower(comment), lower(:text)) > 0',
  ].map((sql) => db.prepareWrite(sql))

  return {
    /** Picks, submitted or not, with a text in their words. */
    mentioning: (text: string): { folder: string; name: string | null; at: number }[] => [
      ...(submitted.all({ text }) as { folder: string; name: string; at: number }[]),
      ...(open.all({ text }) as { folder: string; name: string | null; at: number }[]),
    ],

    /** Erases names, notes and comments with a text in them; belongs into a transaction. @returns how many */
    redact: (tx: Transaction, text: string): number =>
      redactions.reduce((sum, statement) => sum + statement.run(tx, { text }).changes, 0),
  }
}
