/** Why a camera's file is shown and not given away, in one sentence for one file and for several. */
export const withheldTexts = {
  one: 'This RAW file isn’t available for download.',
  many: 'These RAW files aren’t available for download.',
} as const
