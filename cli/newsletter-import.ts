import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import {
  isMailable,
  newsletterLimits,
  subscriberStatuses,
  type SubscriberStatus,
} from '#shared/newsletter.ts'
import { parseCsv } from './csv.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** `newsletter import`: takes over a list from elsewhere. */
export function addNewsletterImport(
  program: Command,
  newsletter: Command,
  useContext: UseContext,
  print: Print,
): void {
  newsletter
    .command('import <file>')
    .description('take over addresses from a CSV file with the columns email, name and status')
    .requiredOption('--consent-note <text>', 'how these people agreed; kept with each of them')
    .option('--skip-invalid', 'leave out lines that are wrong, instead of importing nothing')
    .action(
      async (
        file: string,
        { consentNote, skipInvalid }: { consentNote: string; skipInvalid?: boolean },
      ) => {
        if (!consentNote.trim()) program.error('error: say how these people agreed')
        const { valid, wrong } = readPeople(readFileSync(file, 'utf8'))
        for (const problem of wrong) print.line(harmless(problem))
        if (wrong.length > 0 && !skipInvalid) {
          throw new Error(`Nothing was imported: ${wrong.length} line(s) are wrong.`)
        }
        const { commit, features } = await useContext()
        const { subscribers } = features.newsletter
        const counts = { added: 0, changed: 0, kept: 0 }
        await commit((tx) => {
          for (const person of valid) counts[subscribers.import(tx, person, consentNote)] += 1
        })
        print.line(
          `${counts.added} added, ${counts.changed} changed, ${counts.kept} left as they were`,
        )
      },
    )
}

function readPeople(text: string) {
  const valid: { email: string; name: string; status: SubscriberStatus }[] = []
  const wrong: string[] = []
  for (const { line, fields } of parseCsv(text)) {
    const { email = '', name = '', status: given = '' } = fields
    const is = given || 'subscribed'
    if (!isMailable(email)) wrong.push(`Line ${line}: “${email}” is no e-mail address.`)
    else if (name.length > newsletterLimits.name) wrong.push(`Line ${line}: the name is too long.`)
    else if (!isStatus(is)) wrong.push(`Line ${line}: “${is}” is no status.`)
    else valid.push({ email, name, status: is })
  }
  return { valid, wrong }
}

const isStatus = (text: string): text is SubscriberStatus =>
  (subscriberStatuses as readonly string[]).includes(text)
