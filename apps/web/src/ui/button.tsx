import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'
import { Icon, type Shape } from './icon.tsx'

type Kind = 'primary' | 'plain' | 'danger'

interface Look {
  kind?: Kind
  icon?: Shape
  isWide?: boolean
  children: ReactNode
}

const classOf = (kind: Kind, isWide: boolean) =>
  [styles.button, kind !== 'plain' && styles[kind], isWide && styles.wide].filter(Boolean).join(' ')

type Props = Look & { isBusy?: boolean } & Omit<
    ButtonHTMLAttributes<HTMLButtonElement>,
    'className' | 'children'
  >

export const Button = ({
  kind = 'plain',
  icon,
  isWide = false,
  isBusy = false,
  disabled,
  children,
  ...rest
}: Props) => (
  <button
    type="button"
    className={classOf(kind, isWide)}
    disabled={disabled || isBusy}
    aria-busy={isBusy}
    {...rest}
  >
    {isBusy ? (
      <span className={styles.spinner} aria-hidden="true" />
    ) : (
      icon && <Icon shape={icon} size={16} />
    )}
    {children}
  </button>
)

export const LinkButton = ({ kind = 'plain', icon, isWide = false, to, children }: Look & { to: string }) => (
  <Link to={to} className={classOf(kind, isWide)}>
    {icon && <Icon shape={icon} size={16} />}
    {children}
  </Link>
)

export const IconButton = ({
  icon,
  label,
  ...rest
}: { icon: Shape; label: string } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'className' | 'children'
>) => (
  <button type="button" className={styles.icon} aria-label={label} title={label} {...rest}>
    <Icon shape={icon} />
  </button>
)
