/** A value for JSON-LD; undefined fields are left out of the text. */
export type Thing = { readonly [name: string]: unknown }

/** A thing as the text of a `<script type="application/ld+json">`, which it cannot end. */
export const jsonLd = (thing: Thing): string =>
  JSON.stringify({ '@context': 'https://schema.org', ...thing }).replaceAll('<', String.raw`\u003c`)
