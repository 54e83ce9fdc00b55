import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** A client of the agency; staff are one too. Times are milliseconds of the epoch. */
export type Client = {
  readonly id: number
  /** The last part of the panel's address. */
  readonly panel: string
  readonly name: string
  readonly season: string | null
  /** Addresses whose tickets belong to the client. */
  readonly emails: readonly string[]
  readonly createdAt: number
  readonly disabledAt: number | null
}

/** Something that happened in a client's name. */
export type Activity = {
  readonly at: number
  /** `sign-in`, `sign-out`, `download`, `selection` and what other nouns add. */
  readonly kind: string
  /** For people; shown to the client. */
  readonly detail: string
  /** The label of the code that was used. */
  readonly code: string | null
  /** Who of the people with this code it was, as they said themselves. */
  readonly who: string | null
}

type Row = Omit<Client, 'emails'> & { emails: string }

const columns = `id, panel, name, season, created_at AS createdAt, disabled_at AS disabledAt,
  (SELECT json_group_array(email) FROM client_emails WHERE client = clients.id) AS emails`

const toClient = (row: Row): Client => ({ ...row, emails: JSON.parse(row.emails) as string[] })

/** Prepares the statements of clients and of what happened in their names; the only place with their SQL. */
export function createClientStore(db: Database, { clock }: { clock: () => number }) {
  const insert = db.prepareWrite(`INSERT INTO clients (panel, name, season, created_at)
    VALUES (:panel, :name, :season, :now) ON CONFLICT (panel) DO NOTHING RETURNING id`)
  const update = db.prepareWrite(`UPDATE OR IGNORE clients
    SET panel = :panel, name = :name, season = :season, disabled_at = :disabledAt WHERE id = :id`)
  const addEmail = db.prepareWrite(
    'INSERT INTO client_emails VALUES (:id, :email) ON CONFLICT DO NOTHING',
  )
  const dropEmails = db.prepareWrite('DELETE FROM client_emails WHERE client = :id')
  const byPanel = db.prepare(`SELECT ${columns} FROM clients WHERE panel = :panel`)
  const byId = db.prepare(`SELECT ${columns} FROM clients WHERE id = :id`)
  const all = db.prepare(`SELECT ${columns} FROM clients ORDER BY name COLLATE NOCASE, id`)
  const byEmail = db.prepare(`SELECT ${columns} FROM clients
    WHERE id IN (SELECT client FROM client_emails WHERE email = :email) ORDER BY id`)
  const eraseEmail = db.prepareWrite('DELETE FROM client_emails WHERE email = :email')

  const one = (row: unknown) => (row ? toClient(row as Row) : null)
  const setEmails = (tx: Transaction, id: number, emails: readonly string[]) => {
    dropEmails.run(tx, { id })
    for (const email of emails) addEmail.run(tx, { id, email })
  }
  const find = (id: number) => one(byId.get({ id }))

  return {
    ...createActivityStore(db, clock),

    /** @throws clash when the panel's address is taken */
    add(tx: Transaction, client: Pick<Client, 'panel' | 'name' | 'season' | 'emails'>): Client {
      const { panel, name, season, emails } = client
      const id = insert.pluck().get(tx, { panel, name, season, now: clock() }) as number | undefined
      if (id === undefined) throw taken(panel)
      setEmails(tx, id, emails)
      return find(id)!
    },

    /** @throws clash when the panel's address is taken */
    change(tx: Transaction, client: Client): void {
      const { id, panel, name, season, disabledAt, emails } = client
      const { changes } = update.run(tx, { id, panel, name, season, disabledAt })
      if (changes === 0) throw taken(panel)
      setEmails(tx, id, emails)
    },

    find,
    findPanel: (panel: string): Client | null => one(byPanel.get({ panel })),
    /** The clients that an address belongs to. */
    withEmail: (email: string): Client[] => (byEmail.all({ email }) as Row[]).map(toClient),
    /** Takes an address from its clients; belongs into a transaction. @returns from how many */
    eraseEmail: (tx: Transaction, email: string): number => eraseEmail.run(tx, { email }).changes,
    list: (): Client[] => (all.all() as Row[]).map(toClient),
  }
}

/** Prepares the statements of what happened in clients' names. */
function createActivityStore(db: Database, clock: () => number) {
  const write = db.prepareWrite(`INSERT INTO client_activity (client, code, who, at, kind, detail)
    VALUES (:clientId, :codeId, :who, :at, :kind, :detail)`)
  const read = db.prepare(`SELECT at, kind, detail, codes.label AS code, who
    FROM client_activity LEFT JOIN codes ON codes.id = client_activity.code
    WHERE client_activity.client = :clientId ORDER BY client_activity.id DESC LIMIT :most`)
  const mentioning =
    db.prepare(`SELECT at, kind, detail, client_activity.who AS who, clients.name AS client
    FROM client_activity JOIN clients ON clients.id = client_activity.client
    WHERE instr(lower(concat_ws(char(10), detail, client_activity.who)), lower(:text)) > 0
    ORDER BY client_activity.id`)
  const forgetWho = db.prepareWrite(`UPDATE client_activity SET who = NULL
    WHERE instr(lower(who), lower(:text)) > 0`)
  const forgetActivity = db.prepareWrite('DELETE FROM client_activity WHERE at < :before')

  return {
    /** Writes down what happened in a client's name. */
    audit(
      tx: Transaction,
      {
        clientId,
        codeId,
        who = null,
        kind,
        detail,
      }: {
        clientId: number
        codeId: number | null
        who?: string | null
        kind: string
        detail: string
      },
    ): void {
      write.run(tx, { clientId, codeId, who, at: clock(), kind, detail })
    },

    /** What happened, newest first. */
    activity: (clientId: number, most: number) => read.all({ clientId, most }) as Activity[],

    /** What happened with a text in its words. */
    mentioning: (text: string) =>
      mentioning.all({ text }) as (Omit<Activity, 'code'> & { client: string })[],
    /** Forgets who it was where the name contains a text. @returns how often */
    forgetWho: (tx: Transaction, text: string): number => forgetWho.run(tx, { text }).changes,
    /** Forgets what happened before an instant. */
    forgetActivity: (tx: Transaction, before: number): void =>
      void forgetActivity.run(tx, { before }),
  }
}

const taken = (panel: string) =>
  failure('clash', { message: `Another client has the panel ${panel}.` })
