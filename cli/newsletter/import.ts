import { readFileSync } from 'node:fs'
import { InvalidArgumentError, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import { parseRecords } from '../common/records.ts'
import * as options from '../common/options.ts'
import { printProblems, type Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

/** `newsletter import`: takes over a list from elsewhere. */
export function addNewsletterImport(
  newsletter: Command,
  useContext: UseContext,
  print: Print,
): void {
  newsletter
    .command('import <file>')
    .description(
      'import addresses from a file: an export, or CSV with the columns email, name and status',
    )
    .requiredOption('--consent-note <text>', 'how these people consented; kept with each of them')
    .option('--skip-invalid', 'skip invalid lines instead of importing nothing')
    .addOption(options.rehearse())
    .addOption(options.by())
    .action(
      async (
        file: string,
        {
          consentNote,
          skipInvalid = false,
          dryRun = false,
          by,
        }: { consentNote: string; skipInvalid?: boolean; dryRun?: boolean; by: string },
      ) => {
        if (!consentNote.trim()) throw new InvalidArgumentError('Say how these people consented.')
        const { acts } = (await useContext()).features.newsletter
        const people = parseRecords(acts.textOf(readFileSync(file))).map(({ line, fields }) => {
          const { email = '', name = '', status = '' } = fields
          return { line, email, name, status }
        })
        const { wrong, isDone, ...counts } = await acts.import(people, consentNote, {
          by,
          skipInvalid,
          rehearse: dryRun,
        })
        printProblems(wrong, print)
        if (!isDone)
          throw new Error(`Nothing was imported: ${counted(wrong.length, 'invalid line')}.`)
        const { added, changed, kept } = counts
        const skipped = wrong.length > 0 ? `, ${wrong.length} skipped` : ''
        print.line(`${added} added, ${changed} changed, ${kept} left as they were${skipped}`)
        if (dryRun) print.line(options.dryRun('import them', 'without --dry-run'))
      },
    )
}
