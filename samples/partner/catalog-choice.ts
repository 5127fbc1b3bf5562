import { Directive, ElementRef, forwardRef, inject } from '@angular/core'
import { type ControlValueAccessor, NG_VALUE_ACCESSOR } from '@angular/forms'
import type { CatalogSearchElement } from 'dataset-catalog/element'

interface Drug {
  id: string
  text: string
}

@Directive({
  selector: 'catalog-search[formControlName], catalog-search[formControl]',
  providers: [{ provide: NG_VALUE_ACCESSOR, useExisting: forwardRef(() => CatalogChoice), multi: true }],
  host: { '(catalog-select)': 'read()', '(catalog-clear)': 'read()', '(input)': 'read()', '(focusout)': 'touched()' },
})
export class CatalogChoice implements ControlValueAccessor {
  private readonly box: CatalogSearchElement = inject(ElementRef).nativeElement
  private changed = (_drug: Drug) => {}
  touched = () => {}

  private get input() {
    return this.box.querySelector('input')!
  }

  read() {
    this.changed({ id: this.box.value, text: this.input.value })
  }

  writeValue(drug: Drug | null) {
    this.input.value = drug?.text ?? ''
    this.box.value = drug?.id ?? ''
  }

  registerOnChange(changed: (drug: Drug) => void) {
    this.changed = changed
  }

  registerOnTouched(touched: () => void) {
    this.touched = touched
  }

  setDisabledState(isDisabled: boolean) {
    this.box.disabled = isDisabled
  }
}
