import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDirectory, makeBackup, noContent } from '../support/backups.ts'
import { runOn } from '../support/in-process-cli.ts'
import { order } from '../support/listed-orders.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

type Document = { number: string }

test('invoices issued after a backup keep their numbers and references once it is restored', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-invoices-'))
  const elsewhere = emptyDirectory()
  const restore = async (to: string, ...args: string[]) => {
    const { out, err } = await runCli(['backup', 'restore', ...args], {
      dataDir: to,
      env: noContent,
    })
    expect(err).toBe('')
    return out
  }
  /** Numbers of the documents of one more order, and of the credit note that takes it back. */
  const orderOn = async (directory: string, isCancelled = false) => {
    await using site = await startSite({ sending: false, dataDir: directory })
    const placed = await order(site)
    if (isCancelled) await runOn(site, 'orders', 'cancel', placed)
    const out = await runOn(site, 'orders', 'documents', placed, '--json')
    return (JSON.parse(out) as Document[]).map(({ number }) => Number(number))
  }
  try {
    expect(await orderOn(dataDir)).toEqual([1001])
    const backup = await makeBackup({ dataDir })
    expect(await orderOn(dataDir, true)).toEqual([1002, 1003])

    const told = 'Invoices continue with number 1004: 1003 was the last one issued.\n'
    expect(await restore(dataDir, basename(backup))).toContain(told)
    expect(await restore(dataDir, basename(backup), '--yes')).toContain(told)
    expect(await orderOn(dataDir)).toEqual([1004])

    // On a new machine nobody knows but staff.
    const asked = await restore(elsewhere, backup)
    expect(asked).toContain(
      'There’s no state here that knows which invoices were issued after the backup. The last one in it is 1001. If there were any, restore with --last-invoice <number>, or their numbers are given out again.\n',
    )
    const said = await restore(elsewhere, backup, '--last-invoice', '1004', '--yes')
    expect(said).toContain('Invoices continue with number 1005: 1004 was the last one issued.')
    expect((await runCli(['keys', 'rotate', '--lost'], { dataDir: elsewhere })).code).toBe(0)
    expect(await orderOn(elsewhere)).toEqual([1005])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(elsewhere, { recursive: true, force: true })
  }
})
