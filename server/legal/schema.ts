import * as z from 'zod/mini'
import type { TermsSection } from '#shared/legal/terms.ts'
import { defineTable, json, text, type RowOf } from '../db/table.ts'

const termsSection: z.ZodMiniType<TermsSection> = z.object({
  id: z.string(),
  title: z.string(),
  blocks: z.array(z.union([z.string(), z.array(z.string())])),
})

/** The terms of service, in each version that was in force here. */
export const termsTexts = defineTable('terms_texts', {
  version: text(),
  date: text(),
  sections: json<readonly TermsSection[]>(z.array(termsSection)),
})

/** The terms of service in one version. */
export type TermsText = RowOf<typeof termsTexts>
