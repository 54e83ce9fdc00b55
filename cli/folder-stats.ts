import type { Command } from 'commander'
import { mustFind } from './folder-views.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** `folders stats`: who looked and what was downloaded; machines are in none of it. */
export function addFolderStats(folders: Command, useContext: UseContext, print: Print): void {
  folders
    .command('stats <folder>')
    .description('views, visitors and downloads by day, and downloads of each file')
    .option('--files', 'the files instead of the days')
    .addOption(options.json())
    .action(async (id: string, { files, json }: { files?: boolean; json?: boolean }) => {
      const {
        features: { folders: noun },
      } = await useContext()
      const folder = mustFind(noun.store.find(id), id)
      const totals = noun.counts.totals(folder.id)
      const days = noun.counts.days(folder.id, 366)
      const byFile = noun.store
        .files(folder.id)
        .map(({ path, downloads }) => ({ path, downloads }))
        .toSorted((a, b) => b.downloads - a.downloads)
      if (json) {
        print.json({ folder: folder.key, title: folder.title, totals, days, files: byFile })
        return
      }
      print.line(
        harmless(
          `${folder.title}: ${totals.views} views by ${totals.visitors} visitors a day, ${totals.files} files and ${totals.zips} ZIPs downloaded`,
        ),
      )
      print.listing(files ? byFile : days, { none: 'Nobody has been here yet.' })
    })
}
