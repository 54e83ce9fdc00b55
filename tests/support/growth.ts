/**
 * How many times longer some work takes for a large input than for a small one. Both run in turns
 * and the shortest run of each counts, so a busy machine slows down both and not the result.
 * Let the large input be a hundred times the small one: work in proportion to the length then takes
 * a hundred to four hundred times as long, since memory has its price, and any other ten thousand.
 */
export async function growth(
  small: () => unknown,
  large: () => unknown,
  rounds = 7,
): Promise<number> {
  const shortest = [Infinity, Infinity]
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of [small, large].entries()) {
      const started = performance.now()
      await work()
      shortest[index] = Math.min(shortest[index]!, performance.now() - started)
    }
  }
  return shortest[1]! / shortest[0]!
}
