/**
 * The most that a turn of the event loop has worked while something was done, in milliseconds. It is
 * the time of the processor: a crowded machine makes turns long that have little to do.
 */
export async function longestTurn(work: () => Promise<void>): Promise<number> {
  let max = 0
  let before = process.threadCpuUsage()
  let isOver = false
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    max = Math.max(max, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return max
}
