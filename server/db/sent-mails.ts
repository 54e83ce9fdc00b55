import Database from 'better-sqlite3'

/** An email as a row, whatever columns the version that wrote it has. */
type Row = Record<string, string | number | null>

/**
 * Keeps a database file from sending emails again that a state before it has sent: those that wait in it,
 * and first reminders of invoices, which it would make again. Second reminders claim what being late
 * costs, as of the day they are made, so they are left to be made again.
 * @param present the file of the replaced state, or of one that a restore replaced before
 * @param restored the file that takes its place; no process uses either
 */
export function keepSentMails(present: string, restored: string): void {
  try {
    const from = new Database(present, { readonly: true, fileMustExist: true })
    const to = new Database(restored, { fileMustExist: true })
    try {
      to.transaction(() => {
        markWaiting(from, to)
        addReminders(from, to)
      })()
    } finally {
      from.close()
      to.close()
    }
  } catch {
    // There is no state to ask, it's damaged, or one of the two is from a version without these columns.
  }
}

function markWaiting(from: Database.Database, to: Database.Database): void {
  const sent = from.prepare(`SELECT message_id, settled_at, last_reply, recipient, attempts
    FROM mails WHERE message_id = ? AND status = 'sent'`)
  const mark =
    to.prepare(`UPDATE mails SET status = 'sent', due_at = NULL, settled_at = :settled_at,
    last_reply = :last_reply, recipient = :recipient, attempts = :attempts
    WHERE message_id = :message_id`)
  const waiting = to.prepare('SELECT message_id FROM mails WHERE due_at IS NOT NULL').pluck()
  for (const id of waiting.all()) {
    const row = sent.get(id)
    if (row) mark.run(row)
  }
}

/** An invoice's number is given once, so the key of its reminder is that of no other invoice. */
function addReminders(from: Database.Database, to: Database.Database): void {
  const reminders = from
    .prepare(`SELECT * FROM mails WHERE kind = 'orderInvoiceReminder' AND status = 'sent'`)
    .all() as Row[]
  const hasOrder = to.prepare('SELECT 1 FROM orders WHERE number = ?')
  const columns = (to.pragma('table_info(mails)') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'id')
  const add = to.prepare(`INSERT OR IGNORE INTO mails (${columns.join(', ')})
    VALUES (${columns.map((name) => `:${name}`).join(', ')})`)
  const empty = Object.fromEntries(columns.map((name) => [name, null]))
  for (const row of reminders) {
    if (hasOrder.get(row.thing_id)) add.run({ ...empty, ...row })
  }
}
