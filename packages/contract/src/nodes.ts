import * as z from 'zod/mini'
import { adminPatterns, adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { limits, nodeLimits } from './limits.ts'
import { movement } from './movement.ts'
import { troubleKinds } from './node-upkeep.ts'
import { hasTwoDecimals, patterns, textRule, wholeRule } from './rules.ts'

const coreVersion = textRule('version', limits.textMax, new RegExp(`^$|${adminPatterns.version.source}`))

/** SHA-256 in hexadecimal; empty without content. */
const digest = textRule('text', 64, /^$|^[0-9a-f]{64}$/)

/** The certificate identifies the node; `clientVersion` is the agent's version. */
export const hello = defineCall({
  path: '/agent/v1/hello',
  access: 'node',
  summary: 'Heartbeat of the agent of a host',
  input: {
    coreVersion,
    /** By its own clock. */
    now: adminRules.instant,
    /** The certificate that customers get; missing on a tunnel and from older agents. */
    certificate: z.optional(
      z.strictObject(
        {
          issuer: textRule('text', nodeLimits.issuerMax, patterns.plainText),
          untilDate: adminRules.instant,
          authority: digest,
        },
        'choice',
      ),
    ),
  },
  output: one(
    z.object({
      /** A different epoch means another or a restored database. */
      epoch: z.string(),
      now: z.string(),
    }),
  ),
})

const epoch = textRule('uuid', 36, /^$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const count = wholeRule('price', 0, Number.MAX_SAFE_INTEGER)
const address = textRule('ipv4', 45, /^[0-9A-Fa-f:.]+$/).check(
  z.refine((value) => adminPatterns.ipv4.test(value) || URL.canParse(`http://[${value}]`), 'ipv4'),
)
/** A bit for each of 65,536 ports, compressed (raw deflate), in base64. */
const ports = textRule('text', nodeLimits.portsText, /^[A-Za-z0-9+/]+=*$/)
const many = <Item extends z.ZodMiniType>(item: Item, max: number) =>
  z.array(item, 'choice').check(z.maxLength(max, 'choice'))

/** The complete list, never commands. Long poll: answered when digest or epoch differ, or after 22 seconds. */
export const desired = defineCall({
  path: '/agent/v1/desired',
  access: 'node',
  summary: 'The account list of a host (long poll)',
  input: {
    epoch,
    digest,
  },
  output: one(
    z.object({
      epoch: z.string(),
      /** Never decreases within an epoch. */
      number: z.number(),
      digest: z.string(),
      now: z.string(),
      /**
       * Total number of accounts removed from this host; never decreases within an epoch. A list may lack as many
       * accounts as it grew by. Older control planes do not send it.
       */
      removed: z.optional(z.number()),
      /** An administrator permits a list without accounts that nobody removed. */
      mayShrink: z.boolean(),
      /** The control plane has another lease for the node, or waits for what it gives back: it should report at once. */
      reportNow: z.optional(z.boolean()),
      /** null: unchanged. A tunnel has none. */
      accounts: z.nullable(
        z.array(
          z.object({
            id: z.string(),
            revision: z.number(),
            secret: z.string(),
            /** Enabled and not stopped for abuse; the node itself checks the expiry. */
            enabled: z.boolean(),
            expiresAt: z.string(),
            maxDevices: z.number(),
            /** In Mbit/s, for each direction. Older control planes do not send it, and older agents ignore it. */
            speedLimit: z.optional(z.number()),
            /** Whether the node needs a lease of data to let it in. Older control planes do not send it. */
            isLeased: z.optional(z.boolean()),
            /**
             * Days that begin at first use: the latest beginning, from which `expiresAt` counts. The node moves both
             * to the first use.
             */
            startsBy: z.optional(z.string()),
            /** Networks at which the core refuses this account for a while; older control planes do not send it. */
            refused: z.optional(z.array(z.object({ network: z.string(), untilDate: z.string() }))),
          }),
        ),
      ),
      /**
       * Customers' connections that this relay must close; each is sent for a minute, under one id. `ports` replaces
       * `port`. Older control planes send neither `ports` nor `at`.
       */
      cuts: z.array(
        z.object({
          id: z.number(),
          address: z.string(),
          port: z.number(),
          ports: z.optional(z.string()),
          at: z.optional(z.string()),
        }),
      ),
    }),
  ),
  refusals: ['TOO_MANY_ATTEMPTS'],
})

export const refusedLists = ['', 'older', 'smaller'] as const
export type RefusedList = (typeof refusedLists)[number]

export const report = defineCall({
  path: '/agent/v1/report',
  access: 'node',
  summary: 'Report of a host: applied revisions, usage and online devices',
  input: {
    epoch,
    number: count,
    digest,
    core: z.strictObject(
      {
        version: coreVersion,
        /** A different boot id resets the counters. Empty without a core. */
        bootId: textRule('text', 64, /^[A-Za-z0-9._:-]*$/),
        upSince: z.union([z.literal(''), adminRules.instant], 'instant'),
      },
      'choice',
    ),
    applied: many(z.strictObject({ id: adminRules.uuid, revision: count }, 'choice'), nodeLimits.accounts),
    /** Bytes since that boot of the core, never since the last report. */
    usage: many(
      z.strictObject({ id: adminRules.uuid, up: count, down: count }, 'choice'),
      nodeLimits.accounts,
    ),
    online: many(
      z.strictObject(
        {
          id: adminRules.uuid,
          devices: many(
            z.strictObject({ address, seenAt: adminRules.instant }, 'choice'),
            nodeLimits.devicesOfAccount,
          ),
        },
        'choice',
      ),
      nodeLimits.accounts,
    ),
    /** Connections that the relay must close, of accounts that are online and not wanted. */
    gone: many(
      z.strictObject(
        { id: adminRules.uuid, address, port: adminRules.port, ports: z.optional(ports) },
        'choice',
      ),
      nodeLimits.gone,
    ),
    /** Addresses that moved bytes in the last minute. Missing until an answer said that `moved` is understood. */
    moved: z.optional(
      z.strictObject(
        {
          untilDate: adminRules.instant,
          addresses: many(
            /** A bit for each slice in which the address moved bytes, the first slice lowest. */
            z.strictObject({ address, slices: wholeRule('price', 0, 2 ** movement.slices - 1) }, 'choice'),
            nodeLimits.moved,
          ),
        },
        'choice',
      ),
    ),
    /**
     * The bytes that the node has ever counted for each account with a lease, and the count that it may reach. A node
     * without a count begins another `frame` at 0. Missing until an answer said that `leases` are understood.
     */
    leases: z.optional(
      many(
        z.strictObject({ id: adminRules.uuid, frame: adminRules.uuid, spent: count, until: count }, 'choice'),
        nodeLimits.accounts,
      ),
    ),
    /** First uses that the list does not show yet. Missing until an answer said that `begun` is understood. */
    begun: z.optional(
      many(z.strictObject({ id: adminRules.uuid, at: adminRules.instant }, 'choice'), nodeLimits.accounts),
    ),
    refusedList: z.enum(refusedLists, 'choice'),
    connections: count,
    load: z
      .number('price')
      .check(
        z.minimum(0, 'price'),
        z.maximum(nodeLimits.loadMax, 'price'),
        z.refine(hasTwoDecimals, 'price'),
      ),
    now: adminRules.instant,
    /** All present troubles. Missing from older agents, and until an answer said that `troubles` are understood. */
    troubles: z.optional(
      many(
        z.strictObject(
          {
            kind: z.enum(troubleKinds, 'choice'),
            detail: textRule('text', nodeLimits.detailMax, patterns.plainText),
            /** The agent has repaired it within the last minutes. */
            repaired: z.boolean('choice'),
          },
          'choice',
        ),
        troubleKinds.length,
      ),
    ),
  },
  output: one(
    z.object({
      epoch: z.string(),
      now: z.string(),
      /** The counts that the node may reach from now on, where they are others than it said. */
      leases: z.optional(z.array(z.object({ id: z.string(), frame: z.string(), until: z.number() }))),
      /** Optional fields of a report that this control plane accepts; an older one refuses unknown fields. */
      understands: z.optional(z.array(z.string())),
    }),
  ),
  refusals: ['TOO_MANY_ATTEMPTS', 'FOREIGN_REPORT'],
})

export const renewCertificate = defineCall({
  path: '/agent/v1/certificate',
  access: 'node',
  summary: 'Issue a new certificate for the calling node, at most one per hour',
  input: {},
  output: one(z.object({ ca: z.string(), certificate: z.string(), key: z.string() })),
  refusals: ['TOO_MANY_ATTEMPTS'],
})

/** A DNS name has no colon, so no server's certificate has this subject, although the same CA signs both. */
export const controlPlaneSubject = 'kelid:control-plane'

/** The ALPN name with which an agent shows its certificate to a control plane of another CA. */
export const foreignHostProtocol = 'kelid-stranger'
