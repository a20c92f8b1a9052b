import { useEffect, useRef } from 'react'
import styles from './give.module.css'
import { GiveForm } from './give-form.tsx'
import type { Subject } from './subject.ts'
import { SubjectName } from './subject-name.tsx'
import { SubjectPick } from './subject-pick.tsx'

interface Props {
  subject: Subject | null
  onSubject: (subject: Subject | null) => void
}

export function GiveDays({ subject, onSubject }: Props) {
  const step = useRef<HTMLDivElement>(null)
  const hasPressed = useRef(false)
  const uuid = subject?.uuid
  // The pressed button is gone, so the focus moves to the first field of the new step.
  useEffect(() => {
    if (hasPressed.current) step.current?.querySelector<HTMLElement>(uuid ? 'form input' : 'input')?.focus()
  }, [uuid])
  const press = (nextSubject: Subject | null) => {
    hasPressed.current = true
    onSubject(nextSubject)
  }
  return (
    <div ref={step} className={styles.step}>
      {subject ? (
        <>
          <SubjectName subject={subject} onOther={() => press(null)} />
          <GiveForm key={subject.uuid} subject={subject} />
        </>
      ) : (
        <SubjectPick onSubject={press} />
      )}
    </div>
  )
}
