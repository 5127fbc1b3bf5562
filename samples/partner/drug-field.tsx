import type { CatalogSearchElement } from 'dataset-catalog/element'
import type {} from 'dataset-catalog/react'
import { useRef } from 'react'

interface Drug {
  id: string
  text: string
}

export function DrugField({ drug, setDrug }: { drug: Drug; setDrug: (drug: Drug) => void }) {
  const box = useRef<CatalogSearchElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const read = () => setDrug({ id: box.current?.value ?? '', text: input.current?.value ?? '' })
  const events = { 'oncatalog-select': read, 'oncatalog-clear': read }
  return (
    <catalog-search ref={box} type="medication" name="drug_id" token-url="/catalog-token" value={drug.id} {...events}>
      <input ref={input} id="drug" value={drug.text} onChange={read} />
    </catalog-search>
  )
}
