import { expect, it } from 'vitest'
import { hasNumbersOf } from '#shared/text/number-phrases'

it.each([
  ['Warfarin', ['Warfarin', '5 mg']],
  ['Warfarin 5MG Tablet', ['Warfarin', '5 mg', 'Tablet']],
  ['Augmentin 625 Tablet', ['Augmentin 625', 'Tablet']],
  ['Vitamin B12', ['Vitamin B12', '1 mg']],
  ['Amoxiclav 500/125 mg', ['Amoxiclav', '500/125 mg']],
  ['Amoxiclav 500 mg / 125 mg', ['Amoxiclav', '500 mg/125 mg']],
  ['Mixtard 30/70, 100 IU/ml', ['Mixtard 30/70', '100 IU/ml']],
  ['Digoxin 0·25 mg', ['Digoxin 0·25 mg']],
  ['Colistin 1 200 000 IU', ['Colistin', '1 200 000 IU']],
])('the numbers of %j are those of %j', (text, texts) => expect(hasNumbersOf(texts, text)).toBe(true))

it.each([
  ['Warfarin 5 mg', ['Warfarin', '0.5 mg']],
  ['Warfarin 0.5 mg', ['Warfarin', '5 mg']],
  ['Digoxin 25 mg', ['Digoxin', '0·25 mg']],
  ['Warfarin 5 mcg', ['Warfarin', '5 mg']],
  ['Warfarin 5', ['Warfarin', '5 mg']],
  ['Warfarin 1 mg', ['Warfarin', '1½ mg']],
  ['BCG 108', ['BCG 10⁸']],
  ['Mixtard 70/30', ['Mixtard 30/70']],
  ['Amoxiclav 125 mg', ['Amoxiclav', '500/125 mg']],
  ['Amoxiclav 500', ['Amoxiclav', '500/125 mg']],
  ['Amoxiclav 500 mg', ['Amoxiclav', '500 mg + 125 mg']],
  ['Amoxiclav 500/125 mg', ['Amoxiclav', '500 mg', '125 mg']],
  ['Amoxicillin 5 ml', ['Amoxicillin', '250 mg/5 ml']],
  ['Amoxicillin 5 ml', ['Amoxicillin', '250 mg per 5 ml']],
  ['Dopamine 40 mg/ml', ['Dopamine', '40 mg']],
  ['Colistin 200 000 IU', ['Colistin', '1 200 000 IU']],
  ['Heparin 1000 IE', ['Heparin 1.000 I.E.']],
  ['Warfarin 5 IU', ['Warfarin 5', '10 IU']],
  ['阿司匹林0.25g', ['阿司匹林1.25g']],
])('a number of %j is none of %j in the same role', (text, texts) => expect(hasNumbersOf(texts, text)).toBe(false))
