import * as z from 'zod/mini'

/** What VIES, the union's register of VAT ids, said of one: it counts, it does not, or no answer came. */
export type VatCheck = {
  readonly state: 'yes' | 'no' | 'down'
  /** Milliseconds of the epoch. */
  readonly at: number
  /** The number of the consultation, which proves to the tax office that it was asked. */
  readonly consultation: string | null
  /** As the register has them. */
  readonly name: string | null
  readonly address: string | null
}

/** How a {@link VatCheck} is kept. */
export const vatCheckSchema: z.ZodMiniType<VatCheck> = z.object({
  state: z.enum(['yes', 'no', 'down']),
  at: z.number(),
  consultation: z.nullable(z.string()),
  name: z.nullable(z.string()),
  address: z.nullable(z.string()),
})
