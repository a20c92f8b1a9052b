/** `npm run bench:client` on an idle machine; otherwise part of `npm test`. */
export const isBench = process.env.KELID_BENCH === 'yes'
/** A busy machine may be half as fast; real regressions are far slower than that. */
export const slack = isBench ? 1 : 2

/** Budgets of a first visit: docs/decisions/0016. */
export const limits = {
  filesBeforeUsable: 12,
  /** Largest paint relative to a static page of the same text in the same run. */
  prerenderedPaintRatio: 1.3,
  listPaintRatio: 3.3,
  /** Time until 1,000 rows are usable, relative to React painting the landing's text. */
  listBesideReact: 1.9,
  blockingMs: { visitor: 300, reseller: 600 },
  /** The longest task while 10,000 accounts are scrolled, searched or filtered. */
  taskMs: 50,
  /** From an input until the next frame, on a processor four times slower. */
  interactionMs: 100,
} as const

/** Measured once on their sign-in screens, with the same throttling. */
export const peers = [
  { name: '3x-ui, sign-in', KB: 559, lcpMs: 8_672, usableMs: 8_529 },
  { name: 'Marzban, sign-in', KB: 690, lcpMs: 7_040, usableMs: 7_098 },
  { name: 'Remnawave, sign-in', KB: 1_956, lcpMs: 15_604, usableMs: 15_334 },
] as const

/** Our sign-in screen relative to the best peer in each column. */
export const besidePeers = {
  bytes: { peer: peers[0].KB * 1_024, ratio: 0.2 },
  lcp: { peer: 7_000, ratio: 0.15 },
  usable: { peer: 7_100, ratio: 0.35 },
} as const
