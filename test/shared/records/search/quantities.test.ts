import { expect, it } from 'vitest'
import { combinationsOf } from '#shared/records/search/quantities'

/** A combination in readable form: `500mg;125mg`, `40mg per 1ml`; `?` after a number without a unit of its own. */
const read = (text: string) =>
  combinationsOf(text).map((combination) =>
    combination
      .map(({ sign, number, isBare, unit, per }) => {
        const amount = sign + number + (isBare ? '?' : '') + (unit?.join('*') ?? '').replace(/\*1$/, '')
        return per === undefined ? amount : `${amount} per ${per.number}${per.unit?.[0]}`
      })
      .join(''),
  )

it.each([
  ['500 mg;125 mg', ['500mg;125mg']],
  ['500/125 mg', ['500?mg/125mg']],
  ['500 mg amoxicillin + 125 mg clavulanate, 20 tablets', ['500mg+125mg', '20?']],
  ['250 mg/tab 20 tabs', ['250mg', '20?']],
  ['Yasmin 3 mg/30 mcg', ['3mg/30mg*0.001']],
  ['200mg/5ml', ['200mg per 5ml']],
  ['40mg/ml 5ml', ['40mg per 1ml', '5ml']],
  ['125/31.25 mg per 5 ml', ['125?mg per 5ml/31.25mg per 5ml']],
  ['10 mg/1 g', ['10mg per 1mg']],
  ['Insulin 30/70 100 IU/ml', ['30?/70?', '100unit per 1ml']],
  ['10,000USP UNITS/ML', ['10000unit per 1ml']],
  ['5000 international units', ['5000unit']],
  ['Adrenaline 1:1000', ['1?:1000?']],
  ['3 months, 1 week', ['3month', '1week']],
  ['3x10 ml', ['3times', '10ml']],
  ['5-10 mg', ['5?mg-10mg']],
  ['Vitamin B12 1.000 IE 2e8 cfu', ['1.000unit']],
  ['阿司匹林0.25g', ['0.25mg*1000']],
])('the combinations of %j are %j', (text, expected) => expect(read(text)).toEqual(expected))
