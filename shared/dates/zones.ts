/** The last part of an IANA name, as people say it: New York. */
export const cityOf = (zone: string): string =>
  zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
