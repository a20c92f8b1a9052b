import { adminRules, RefusedByServer } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import type { Form } from '../../../lib/form.ts'
import type { Basis } from '../../kit/basis.ts'
import { latin } from '../../kit/parse-number.ts'
import { useSubmit } from './use-submit.ts'

export function useChange<Values extends object>(
  form: Form<Values>,
  send: () => Promise<void>,
  basis: Basis<unknown>,
  address: string,
) {
  const { t } = useTranslation('admin')
  const sendOrReadAgain = () =>
    send().catch(async (error: unknown) => {
      if (error instanceof RefusedByServer && error.type === 'CHANGED_MEANWHILE')
        await basis.readAgain().catch(() => {})
      throw error
    })
  const isAddress = adminRules.ipv4.safeParse(latin(address)).success
  return useSubmit(
    form,
    sendOrReadAgain,
    t(isAddress ? 'client.incompleteInformation' : 'client.invalidIPv4'),
  )
}
