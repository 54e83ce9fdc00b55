/** Narrower and wider pictures are cut; two buttons have to find room side by side in a tile. */
const min = 0.5
const max = 4

/** What a file without a picture gets. */
const standard = 1.5

/**
 * The ratio of a picture's sides in three digits, from which its tile takes its shape: a style
 * attribute, which could say it in one, is not allowed by the site's policy.
 */
export function ratioDigits({ width, height }: { width: number | null; height: number | null }) {
  const ratio = width && height ? Math.min(max, Math.max(min, width / height)) : standard
  const hundredths = Math.round(ratio * 100)
  return {
    'data-ones': Math.floor(hundredths / 100),
    'data-tenths': Math.floor(hundredths / 10) % 10,
    'data-hundredths': hundredths % 10,
  }
}
