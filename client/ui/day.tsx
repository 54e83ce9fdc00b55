/** A day in Helsinki, where it is told; the same on every machine. */
export function Day({ iso, long = false }: { iso: string; long?: boolean }) {
  const day = new Intl.DateTimeFormat('en-GB', {
    dateStyle: long ? 'long' : 'medium',
    timeZone: 'Europe/Helsinki',
  })
  return <time dateTime={iso}>{day.format(new Date(iso))}</time>
}
