/** A day in Helsinki, where it is told; the same on every machine. */
export function Day({ iso, long = false }: { iso: string; long?: boolean }) {
  const format = formatOf(long ? 'long' : 'medium')
  return <time dateTime={iso}>{format.format(new Date(iso))}</time>
}

/** Made when they are first needed: to make one costs more than to render a card. */
const formats: Partial<Record<'long' | 'medium', Intl.DateTimeFormat>> = {}

const formatOf = (dateStyle: 'long' | 'medium') =>
  (formats[dateStyle] ??= new Intl.DateTimeFormat('en-GB', {
    dateStyle,
    timeZone: 'Europe/Helsinki',
  }))
