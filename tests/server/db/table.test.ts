import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '#server/db/open.ts'
import {
  columnName,
  defineTable,
  flag,
  integer,
  json,
  made,
  nullable,
  query,
  text,
  textOf,
  type NewRowOf,
  type Table,
} from '#server/db/table.ts'

const directory = mkdtempSync(join(tmpdir(), 'pitlane-'))
const db = openDatabase(directory)
afterAll(async () => {
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

const cars = defineTable('cars', {
  id: made(integer()),
  raceNumber: integer(),
  driver: text('driver_name'),
  team: nullable(text()),
  tyres: textOf<'soft' | 'hard'>(),
  isOnTrack: flag(),
  laps: json(z.array(z.number()), 'lap_times'),
})

const car: NewRowOf<typeof cars> = {
  raceNumber: 47,
  driver: 'Ahti Salo',
  team: null,
  tyres: 'soft',
  isOnTrack: true,
  laps: [81.2, 80.9],
}

await db.commit((tx) => {
  db.prepareWrite(
    `CREATE TABLE cars (id INTEGER PRIMARY KEY, race_number INTEGER NOT NULL UNIQUE,
       driver_name TEXT NOT NULL, team TEXT, tyres TEXT NOT NULL, is_on_track INTEGER NOT NULL,
       lap_times TEXT NOT NULL)`,
  ).run(tx)
})

test('a row comes back from the table as it was put in, with what the database made', async () => {
  const insert = cars.insert(db, 'ON CONFLICT DO NOTHING')
  expect(await db.commit((tx) => insert(tx, car))).toEqual({ ...car, id: 1 })
  const found = cars.select(db, 'WHERE race_number = :number')
  expect(found.get({ number: 47 })).toEqual({ ...car, id: 1 })
  expect(found.get({ number: 48 })).toBeNull()
  expect(await db.commit((tx) => insert(tx, car))).toBeNull()
})

test('an update sets the named columns alone', async () => {
  const change = cars.update(db, ['team', 'isOnTrack'], 'WHERE race_number = :number')
  const changed = await db.commit((tx) =>
    change(tx, { team: 'Kaamos', isOnTrack: false }, { number: 47 }),
  )
  expect(changed).toBe(1)
  const all = Array.from(cars.select(db, 'ORDER BY id').iterate())
  expect(all).toEqual([{ ...car, id: 1, team: 'Kaamos', isOnTrack: false }])
})

test('a column that holds something else is an error instead of a wrong value', async () => {
  const counted = query(db, 'SELECT count(*) AS cars, max(driver_name) AS last FROM cars', {
    cars: integer(),
    last: integer(),
  })
  expect(() => counted.get()).toThrow('A column of INTEGER holds string.')
})

test('types ask an insert for every column that the database does not make', () => {
  type New = NewRowOf<typeof cars>
  expectTypeOf<New['driver']>().toEqualTypeOf<string>()
  expectTypeOf<New['team']>().toEqualTypeOf<string | null>()
  expectTypeOf<New['tyres']>().toEqualTypeOf<'soft' | 'hard'>()
  expectTypeOf<'id' extends keyof New ? true : false>().toEqualTypeOf<false>()
  const { driver: _, ...forgotten } = car
  // @ts-expect-error: the driver is missing.
  const wrong: New = forgotten
  expect(wrong).toEqual(forgotten)
})

const isTable = (value: unknown): value is Table<Record<string, never>> =>
  typeof value === 'object' && value !== null && 'shape' in value && 'select' in value

test('every table of a noun is the one that the migrations make', async () => {
  const root = join(import.meta.dirname, '../../..')
  const described = query(
    db,
    `SELECT name, type, "notnull" AS required, dflt_value IS NOT NULL AS hasDefault, pk
     FROM pragma_table_info(:table)`,
    { name: text(), type: text(), required: flag(), hasDefault: flag(), pk: integer() },
  )
  for (const file of globSync('server/*/**/schema.ts', { cwd: root })) {
    const tables = Object.values((await import(join(root, file))) as object).filter(isTable)
    expect(tables, file).not.toEqual([])
    for (const { name, shape } of tables) {
      const actual = described.all({ table: name })
      const expected = Object.entries(shape).map(([key, column]) => {
        const { type, nullable: isNullable } = column as ReturnType<typeof integer>
        return { name: columnName(key, column).slice(1, -1), type, required: !isNullable }
      })
      const known = actual.map((column) => ({
        name: column.name,
        type: column.type,
        required: column.required || column.pk > 0,
      }))
      expect(known, `${file}: ${name}`).toEqual(expect.arrayContaining(expected))
      const needed = actual.filter((column) => column.required && !column.hasDefault && !column.pk)
      const inserted = expected.map((column) => column.name)
      expect(inserted, `${file}: an insert into ${name}`).toEqual(
        expect.arrayContaining(needed.map((column) => column.name)),
      )
    }
  }
})
