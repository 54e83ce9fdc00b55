import * as z from 'zod/mini'
import { failure } from '#shared/failures.ts'
import { createAddresses } from '../db/addresses.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { integer, json, nullable, query, text, type RowOf } from '../db/table.ts'
import { clientActivity, clientEmails, clients, type Client, type NewActivity } from './schema.ts'

/** Something that happened in a client's name, with the label of the code that was used. */
export type Activity = Pick<RowOf<typeof clientActivity>, 'at' | 'kind' | 'detail' | 'who'> & {
  readonly code: string | null
}

const { at, kind, detail, who } = clientActivity.shape

/** What an insert or a change of a client says. */
export type ClientFacts = Pick<Client, 'panel' | 'name' | 'season' | 'emails'>

/** Prepares the statements of clients and of what happened in their names; the only place with their SQL. */
export function createClientStore(db: Database, { clock }: { clock: () => number }) {
  const insert = clients.insert(db, 'ON CONFLICT (panel) DO NOTHING')
  const update = db.prepareWrite(`UPDATE OR IGNORE clients
    SET panel = :panel, name = :name, season = :season, disabled_at = :disabledAt WHERE id = :id`)
  const addEmail = clientEmails.insert(db, 'ON CONFLICT DO NOTHING')
  const remove = db.prepareWrite('DELETE FROM clients WHERE id = :id')
  const dropEmails = db.prepareWrite('DELETE FROM client_emails WHERE client = :id')
  const select = (rest: string) =>
    query(
      db,
      `SELECT ${clients.columns},
        (SELECT json_group_array(email) FROM client_emails WHERE client = clients.id) AS emails
      FROM clients ${rest}`,
      { ...clients.shape, emails: json(z.array(z.string())) },
    )
  const byPanel = select('WHERE panel = :panel')
  const byId = select('WHERE id = :id')
  const all = select('ORDER BY name COLLATE NOCASE, id')
  const byEmail = select(
    'WHERE id IN (SELECT client FROM client_emails WHERE email = :email) ORDER BY id',
  )
  const eraseEmail = db.prepareWrite('DELETE FROM client_emails WHERE email = :email')

  const setEmails = (tx: Transaction, clientId: number, emails: readonly string[]) => {
    dropEmails.run(tx, { id: clientId })
    for (const email of emails) addEmail(tx, { clientId, email })
  }
  const find = (id: number): Client | null => byId.get({ id })

  return {
    ...createActivityStore(db, clock),

    /** @throws duplicate when the panel's address is taken */
    add(tx: Transaction, { panel, name, season, emails }: ClientFacts): Client {
      const row = insert(tx, { panel, name, season, createdAt: clock(), disabledAt: null })
      if (!row) throw taken(panel)
      setEmails(tx, row.id, emails)
      return find(row.id)!
    },

    /** @throws duplicate when the panel's address is taken */
    change(tx: Transaction, client: Client): void {
      const { id, panel, name, season, disabledAt, emails } = client
      const { changes } = update.run(tx, { id, panel, name, season, disabledAt })
      if (changes === 0) throw taken(panel)
      setEmails(tx, id, emails)
    },

    /** Removes a client with all that is theirs alone. Call inside a transaction. */
    remove: (tx: Transaction, { id }: Client): void => void remove.run(tx, { id }),

    find,
    findPanel: (panel: string): Client | null => byPanel.get({ panel }),
    /** The clients that an address belongs to. */
    withEmail: (email: string): Client[] => byEmail.all({ email }),
    addresses: createAddresses(db, 'client_emails'),
    /** Takes an address from its clients. Call inside a transaction. @returns from how many */
    eraseEmail: (tx: Transaction, email: string): number => eraseEmail.run(tx, { email }).changes,
    list: (): Client[] => all.all(),
  }
}

/** Prepares the statements of what happened in clients' names. */
function createActivityStore(db: Database, clock: () => number) {
  const write = clientActivity.insert(db)
  const read = query(
    db,
    `SELECT at, kind, detail, codes.label AS code, who
    FROM client_activity LEFT JOIN codes ON codes.id = client_activity.code
    WHERE client_activity.client = :clientId ORDER BY client_activity.id DESC LIMIT :max`,
    { at, kind, detail, code: nullable(text()), who },
  )
  const mentioning = query(
    db,
    `SELECT at, kind, detail, client_activity.who AS who, clients.name AS client
    FROM client_activity JOIN clients ON clients.id = client_activity.client
    WHERE mentions(concat_ws(char(10), detail, client_activity.who), :email)
    ORDER BY client_activity.id`,
    { at, kind, detail, who, client: text() },
  )
  // A name with an address in it is one person's; what was done has labels of codes in it.
  const forgetWho = db.prepareWrite(`UPDATE client_activity SET
    who = CASE WHEN mentions(who, :email) THEN NULL ELSE who END,
    detail = without_mentions(detail, :email)
    WHERE mentions(concat_ws(char(10), detail, who), :email)`)
  const signedIn = query(
    db,
    `SELECT codes.id AS code, label, sessions.who AS who
    FROM codes LEFT JOIN sessions ON sessions.code = codes.id
    WHERE mentions(concat_ws(char(10), label, sessions.who), :email) ORDER BY codes.id`,
    { code: integer(), label: text(), who },
  )
  const forgetLabel = db.prepareWrite(`UPDATE codes SET label = '[erased]'
    WHERE mentions(label, :email)`)
  const forgetSession = db.prepareWrite(`UPDATE sessions SET who = NULL
    WHERE mentions(who, :email)`)
  const forgetActivity = db.prepareWrite(`DELETE FROM client_activity WHERE id IN
    (SELECT id FROM client_activity WHERE at < :before LIMIT ${batchSize})`)

  return {
    /** Writes down what happened in a client's name. */
    audit: (tx: Transaction, activity: NewActivity): void =>
      void write(tx, { who: null, ...activity, at: clock() }),

    /** What happened, newest first. */
    activity: (clientId: number, max: number): Activity[] => read.all({ clientId, max }),

    /** What happened whose words name an email address. */
    mentioning: (email: string) => mentioning.all({ email }),
    /** Codes whose labels name an email address, and sessions of people whose names do. */
    signedIn: (email: string) => signedIn.all({ email }),
    /**
     * Forgets an email address in names of people, in what they did, and in labels of codes.
     * @returns how often
     */
    forgetWho: (tx: Transaction, email: string): number =>
      [forgetWho, forgetLabel, forgetSession].reduce(
        (sum, statement) => sum + statement.run(tx, { email }).changes,
        0,
      ),
    /** Forgets a batch of what happened before an instant. @returns how many */
    forgetActivity: (tx: Transaction, before: number): number =>
      forgetActivity.run(tx, { before }).changes,
  }
}

const taken = (panel: string) =>
  failure('duplicate', { message: `Panel ${panel} already belongs to another client.` })
