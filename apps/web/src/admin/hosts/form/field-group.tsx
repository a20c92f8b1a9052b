import type { ReactNode } from 'react'
import styles from './form.module.css'

interface Props {
  title: string
  text?: string
  children: ReactNode
}

export const FieldGroup = ({ title, text, children }: Props) => (
  <fieldset className={styles.group}>
    <legend>{title}</legend>
    {text && <p>{text}</p>}
    {children}
  </fieldset>
)
