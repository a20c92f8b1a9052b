import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useCounted } from '../../../lib/use-counted.ts'
import { When } from '../../../shared/when.tsx'
import { Count } from '../../kit/count.tsx'
import { Section } from '../../kit/section.tsx'
import styles from './host-notes.module.css'
import type { LinkTo } from './links.ts'
import type { Board } from './problems.ts'
import own from './strangers.module.css'

const opensslFormat = (fingerprint: string) => fingerprint.toUpperCase().match(/../g)?.join(':')

const showFingerprint = 'openssl x509 -noout -fingerprint -sha256 -in /etc/kelid/agent/ca.pem'

/** Hosts that trust the CA of another database. */
export function Strangers({ board, linkTo }: { board: Board; linkTo: LinkTo }) {
  const { t } = useTranslation('admin')
  const { t: tBoard } = useTranslation('admin/dashboard')
  const counted = useCounted()
  if (board.strangeAuthorities.length === 0) return null
  return (
    <Section title={tBoard('board.strangers.title')}>
      <p>{tBoard('board.strangers.meaning')}</p>
      <p>{tBoard('board.strangers.restore')}</p>
      <code dir="ltr" className={own.line}>
        npm run kelid -- restore FILE
      </code>
      <p>
        {tBoard('board.strangers.provision')} {linkTo('servers', t('menu.servers'))}
      </p>
      <Count total={board.strangeAuthorities.length} />
      <ul className={styles.list}>
        {board.strangeAuthorities.map(({ fingerprint, hosts, lastDate }) => (
          <li key={fingerprint}>
            <span className={styles.head}>
              {tBoard('board.strangers.hosts', counted(hosts))}
              <When date={lastDate} />
            </span>
            <bdi dir="ltr" className={own.line}>
              {opensslFormat(fingerprint)}
            </bdi>
          </li>
        ))}
      </ul>
      <p>{tBoard('board.strangers.hint')}</p>
      <code dir="ltr" className={own.line}>
        {showFingerprint.split(' ').map((word) => (
          <Fragment key={word}>
            <span>{word}</span>{' '}
          </Fragment>
        ))}
      </code>
    </Section>
  )
}
