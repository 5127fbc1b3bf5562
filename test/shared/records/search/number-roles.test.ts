import { expect, it } from 'vitest'
import { hasNumbersOf } from '#shared/records/search/number-roles'

it.each([
  ['Warfarin', ['Warfarin', '5 mg']],
  ['Warfarin 5', ['Warfarin', '5 mg']],
  ['Warfarin 5.0 MG', ['Warfarin', '5 mg']],
  ['digoxin 0·25 mg', ['Digoxin', '250 mcg']],
  ['Amoxiclav 500/125 mg', ['Amoxiclav', '500 mg;125 mg']],
  ['Amoxiclav 500 mg + 125 mg', ['Amoxiclav', '500/125 mg']],
  ['Mixtard 30/70 100 IU/ml', ['Mixtard 30/70', '100 IE/ml']],
  ['Amoxicillin 250 mg', ['Amoxicillin', '250 mg/5 ml']],
  ['Amoxicillin 250mg/5ml', ['Amoxicillin', '250 mg/5 ml']],
  ['Heparin 1.000 IE', ['Heparin 1.000 I.E./ml']],
  ['Colistin 1 MIU', ['Colistin', '1 000 000 IU']],
])('the numbers of %j are those of %j', (text, texts) => expect(hasNumbersOf(texts, text)).toBe(true))

it.each([
  ['Warfarin 5 mg', ['Warfarin', '0.5 mg']],
  ['Warfarin 0,5 mg', ['Warfarin', '5 mg']],
  ['Warfarin 5 mcg', ['Warfarin', '5 mg']],
  ['Warfarin 5 mg', ['Warfarin 5', '5 IU']],
  ['Mixtard 70/30', ['Mixtard 30/70']],
  ['Amoxiclav 125 mg', ['Amoxiclav', '500/125 mg']],
  ['Amoxiclav 500 mg', ['Amoxiclav', '500/125 mg']],
  ['Amoxiclav 500/125 mg', ['Amoxiclav', '500 mg', '125 mg']],
  ['Amoxicillin 5 ml', ['Amoxicillin', '250 mg/5 ml']],
  ['Dopamine 40 mg/ml', ['Dopamine', '40 mg']],
  ['Heparin 1000 IE', ['Heparin 1.000 I.E./ml']],
  ['Heparin 1 IE', ['Heparin 1.000 I.E./ml']],
  ['Iodide 5 mg', ['Iodide 5 mCi']],
])('a number of %j is none of %j in the same role', (text, texts) => expect(hasNumbersOf(texts, text)).toBe(false))
