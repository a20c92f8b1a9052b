/** Loaded into every measured process; reports its CPU time and memory on request. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicros: user + system, residentBytes: process.memoryUsage.rss() })
})
process.channel?.unref()
