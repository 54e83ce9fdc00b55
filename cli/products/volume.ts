import { InvalidArgumentError, type Command } from 'commander'
import { euros, parseEuros } from '#shared/money.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import { productNamed } from './rows.ts'

type Step = { from: number; price: number }

/** `products volume`: what a piece costs from a number of pieces on. */
export function addVolumePrices(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('volume <handle> <variant> [steps...]')
    .description('set volume prices, such as 10:19.90 20:17.90 (without steps: remove them)')
    .addOption(options.by())
    .action(async (given: string, variant: string, texts: string[], { by }: { by: string }) => {
      const steps = texts.map(step)
      const context = await useContext()
      const { handle } = productNamed(context, given)
      await context.features.shop.acts.volume({ handle, variant }, steps, by)
      const said = steps.map(({ from, price }) => `${from} or more ${euros(price)}`)
      print.line(`${handle} ${variant}: ${said.join(', ') || 'one price for any number'}`)
    })
}

function step(text: string): Step {
  const [, from, amount] = /^(\d{1,3}):(.{1,20})$/.exec(text) ?? []
  const price = amount === undefined ? null : parseEuros(amount)
  if (price === null) throw new InvalidArgumentError('Use pieces and price, such as 10:19.90.')
  return { from: Number(from), price }
}
