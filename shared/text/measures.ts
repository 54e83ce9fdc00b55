/**
 * A text whose measures stay in one line, such as “30 × 40 cm” in the title of a product: with no-break
 * spaces around the × between numbers, and before the unit. For what is shown; data stays as it was typed.
 */
export const withWholeMeasures = (text: string): string =>
  text
    .replaceAll(/(?<=\d) × (?=\d)/g, '\u00a0×\u00a0')
    .replaceAll(/(?<=\d) (?=(?:mm|cm|m)\b)/g, '\u00a0')

/** A text of pieces between dots, none of which begins a row where it wraps. For what is shown. */
export const withDotsBehind = (text: string): string => text.replaceAll(' · ', '\u00a0· ')
