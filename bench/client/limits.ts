/** By itself, on a machine where nothing else runs; or as a part of the tests. */
export const isBench = process.env.KELID_BENCH === 'yes'
/** Exact where nothing else runs; elsewhere a machine may be half as fast, and what is to be caught takes far longer. */
export const slack = isBench ? 1 : 2

/** See docs/decisions/0016: what a first visit may cost, and why these numbers. */
export const limits = {
  filesBeforeUsable: 12,
  /** Largest paint beside a static page of the same text, in the same run. */
  prerenderedPaintRatio: 1.3,
  listPaintRatio: 3.3,
  /** 1,000 rows usable, beside React alone painting the text of the landing. */
  listBesideReact: 1.9,
  blockingMs: { visitor: 300, reseller: 600 },
  /** The longest the page may be busy while 10,000 accounts are scrolled, searched or filtered. */
  taskMs: 50,
  /** From a press or a key until the next frame, on a processor four times slower. */
  interactionMs: 100,
} as const

/** Measured once on their own sign-in screens, under the same throttle, before the first line was written. */
export const peers = [
  { name: '3x-ui, sign-in', KB: 559, lcpMs: 8_672, usableMs: 8_529 },
  { name: 'Marzban, sign-in', KB: 690, lcpMs: 7_040, usableMs: 7_098 },
  { name: 'Remnawave, sign-in', KB: 1_956, lcpMs: 15_604, usableMs: 15_334 },
] as const

/** Our sign-in screen beside the best of them in each column. */
export const besidePeers = {
  bytes: { peer: peers[0].KB * 1_024, ratio: 0.2 },
  lcp: { peer: 7_000, ratio: 0.15 },
  usable: { peer: 7_100, ratio: 0.35 },
} as const
