import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { listOf, query, text } from '../db/table.ts'
import { mentions, urlMentions, withoutMentions } from '../text/mentions.ts'
import { panelBlocks, panelFiles, type PanelBlock, type PanelFile } from './schema.ts'

/** A file that was copied in, before a block has it. */
export type CopiedFile = Pick<PanelFile, 'id' | 'name' | 'bytes'>

const { position: _, ...blockShape } = panelBlocks.shape
const fileShape = { ...panelFiles.shape, clientId: panelBlocks.shape.clientId }

/** What staff put into panels, with the files below DATA_DIR/panels; the only place with their SQL. */
export type PanelStore = ReturnType<typeof createPanels>

/** Prepares the statements of panels. */
export function createPanels(
  db: Database,
  { clock, dataDir }: { clock: () => number; dataDir: string },
) {
  const insert = db.prepareWrite(`INSERT INTO panel_blocks (client, position, kind, title, data)
    SELECT :clientId, coalesce(max(position), 0) + 1, :kind, :title, :data
    FROM panel_blocks WHERE client = :clientId RETURNING ${panelBlocks.columns}`)
  const update = db.prepareWrite(
    'UPDATE panel_blocks SET title = :title, data = :data WHERE id = :id',
  )
  const place = db.prepareWrite('UPDATE panel_blocks SET position = :position WHERE id = :id')
  const remove = db.prepareWrite('DELETE FROM panel_blocks WHERE id = :id')
  const select = (rest: string) =>
    query(db, `SELECT ${listOf(blockShape)} FROM panel_blocks ${rest}`, blockShape)
  const byId = select('WHERE id = :id')
  const mentioning = select(
    `WHERE mentions(replace(concat_ws(char(10), title, data), '%40', '@'), :email) ORDER BY id`,
  )
  const ofClient = select('WHERE client = :clientId ORDER BY position, id')
  const owners = query(
    db,
    `SELECT DISTINCT panel FROM panel_blocks JOIN clients ON clients.id = client,
        json_each(data, '$.folders')
      WHERE kind = 'folders' AND value = :key ORDER BY panel`,
    { panel: text() },
  )
  const keys = query(
    db,
    `SELECT DISTINCT value AS key FROM panel_blocks JOIN clients ON clients.id = client,
        json_each(data, '$.folders')
      WHERE kind = 'folders' AND panel = :panel`,
    { key: text() },
  )

  const renameFolder = db.prepareWrite(`UPDATE panel_blocks SET data = json_set(data, '$.folders',
      json((SELECT json_group_array(CASE value WHEN :before THEN :after ELSE value END)
        FROM json_each(panel_blocks.data, '$.folders'))))
    WHERE kind = 'folders'
      AND EXISTS (SELECT 1 FROM json_each(panel_blocks.data, '$.folders') WHERE value = :before)`)

  const list = (clientId: number): PanelBlock[] => ofClient.all({ clientId })
  const find = (id: number): PanelBlock | null => byId.get({ id })

  return {
    ...createPanelFiles(db, { clock, directory: join(dataDir, 'panels') }),
    find,
    list,

    /** The panels in which staff have put a shared folder. */
    withFolder: ({ key }: { key: string }): string[] => owners.all({ key }).map((row) => row.panel),

    /** The keys of the shared folders that staff have put in a panel. */
    foldersOf: (panel: string): string[] => keys.all({ panel }).map((row) => row.key),

    /** Names a shared folder by its new key in all panels. Call inside a transaction. */
    renameFolder: (tx: Transaction, before: { key: string }, after: { key: string }): void =>
      void renameFolder.run(tx, { before: before.key, after: after.key }),

    /** Puts a block at the end of a panel. */
    add(tx: Transaction, { clientId, kind, title, data }: Omit<PanelBlock, 'id'>): PanelBlock {
      const row = { clientId, kind, title, data: JSON.stringify(data) }
      const { position: _position, ...block } = panelBlocks.read(insert.get(tx, row))
      return block
    },

    change(tx: Transaction, { id, title, data }: Omit<PanelBlock, 'clientId' | 'kind'>): void {
      update.run(tx, { id, title, data: JSON.stringify(data) })
    },

    /** The blocks in which staff wrote an address. */
    mentioning: (email: string): PanelBlock[] => mentioning.all({ email }),

    /**
     * Takes an address out of what staff wrote in blocks; one in the URL of a link stays (see
     * {@link namedByLinks}), which would lead nowhere. Call inside a transaction. @returns of how many
     */
    redact(tx: Transaction, email: string): number {
      let count = 0
      for (const { id, title, data } of mentioning.all({ email })) {
        const was = JSON.stringify(data)
        const now = JSON.stringify(data, (key, value: unknown) =>
          typeof value === 'string' && key !== 'url' ? withoutMentions(value, email) : value,
        )
        const named = title === null ? null : withoutMentions(title, email)
        if (now === was && named === title) continue
        update.run(tx, { id, title: named, data: now })
        count += 1
      }
      return count
    },

    /** The blocks with a link whose URL has an address, with how many such links. */
    namedByLinks: (email: string): { block: PanelBlock; links: number }[] =>
      mentioning.all({ email }).flatMap((block) => {
        const links = urlsOf(block.data).filter((url) => urlMentions(url, email)).length
        return links > 0 ? [{ block, links }] : []
      }),

    /** Moves a block to a place in its panel, counted from 1; beyond the end is the end. */
    move(tx: Transaction, block: PanelBlock, to: number): void {
      const others = list(block.clientId).filter(({ id }) => id !== block.id)
      const order = others.toSpliced(Math.max(0, to - 1), 0, block)
      for (const [position, { id }] of order.entries()) {
        place.run(tx, { id, position: position + 1 })
      }
    },

    /** Removes a block; its files are forgotten afterwards, see `forget`. */
    remove: (tx: Transaction, id: number): void => void remove.run(tx, { id }),
  }
}

/** The URLs of a block's links. */
function urlsOf(data: unknown): string[] {
  const { links = [] } = data as { links?: readonly { url: string }[] }
  return links.map(({ url }) => url)
}

/** The name of a file without an address, of whose domain the file's ending isn't a part. */
function withoutAddress(name: string, email: string): string {
  const ending = extname(name)
  const stem = name.slice(0, name.length - ending.length)
  return mentions(stem, email)
    ? withoutMentions(stem, email) + ending
    : withoutMentions(name, email)
}

/** Prepares the statements of the blocks' files, which lie in a directory under random names. */
function createPanelFiles(
  db: Database,
  { clock, directory }: { clock: () => number; directory: string },
) {
  const attach = panelFiles.insert(db)
  const detach = db.prepareWrite('DELETE FROM panel_files WHERE id = :id')
  const select = (rest: string) =>
    query(
      db,
      `SELECT panel_files.id, block, client AS clientId, name, bytes, added_at AS addedAt
      FROM panel_files JOIN panel_blocks ON panel_blocks.id = panel_files.block ${rest}`,
      fileShape,
    )
  const fileById = select('WHERE panel_files.id = :id')
  const filesOf = select('WHERE block = :block ORDER BY added_at, name')
  const filesWith = select('WHERE instr(lower(name), :text) > 0 ORDER BY added_at, name')
  const rename = db.prepareWrite('UPDATE panel_files SET name = :name WHERE id = :id')
  const filesNaming = (email: string): PanelFile[] =>
    filesWith
      .all({ text: email.toLowerCase() })
      .filter(({ name }) => withoutAddress(name, email) !== name)
  const pathOf = ({ id }: Pick<PanelFile, 'id'>) => join(directory, id)

  return {
    files: (block: number): PanelFile[] => filesOf.all({ block }),
    pathOf,

    /** The files whose name has an address. */
    filesNaming,

    /** Takes an address out of the names of files. Call inside a transaction. @returns of how many */
    redactFileNames(tx: Transaction, email: string): number {
      const found = filesNaming(email)
      for (const { id, name } of found) rename.run(tx, { id, name: withoutAddress(name, email) })
      return found.length
    },

    findFile: (id: string): PanelFile | null => fileById.get({ id }),

    /**
     * Copies a file to where panels keep theirs, which takes a while for a large one.
     * @throws when it cannot be read or isn't an ordinary file
     */
    copy(path: string): CopiedFile {
      if (!statSync(path).isFile()) throw new Error(`${path} is not a file.`)
      const id = randomBytes(16).toString('base64url')
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      copyFileSync(path, pathOf({ id }), constants.COPYFILE_FICLONE)
      return { id, name: basename(path), bytes: statSync(pathOf({ id })).size }
    },

    /** Puts a copied file into a block. */
    attach: (tx: Transaction, block: number, { id, name, bytes }: CopiedFile): void =>
      void attach(tx, { id, block, name, bytes, addedAt: clock() }),

    /** Takes a file out of its block. */
    detach: (tx: Transaction, { id }: Pick<CopiedFile, 'id'>): void => void detach.run(tx, { id }),

    /** Removes files that no block has any more. */
    forget(files: readonly Pick<CopiedFile, 'id'>[]): void {
      for (const file of files) rmSync(pathOf(file), { force: true })
    },
  }
}
