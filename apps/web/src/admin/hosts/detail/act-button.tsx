import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { Shape } from '../../../ui/icon.tsx'

interface Props {
  label: string
  icon: Shape
  kind?: 'plain' | 'danger'
  dialog: (close: () => void) => ReactNode
}

export function ActButton({ label, icon, kind = 'plain', dialog }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={icon} kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}
