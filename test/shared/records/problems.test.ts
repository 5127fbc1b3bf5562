import { describe, expect, it } from 'vitest'
import { ReadTexts } from '#shared/records/search/read-texts'
import { contradicts } from '#shared/records/strength-conflict'

describe('a strength and a name', () => {
  it.each([
    ['Atorvastatin 20mg', '50mg'],
    ['Levothyroxine 100mcg', '100mg'],
    ['Dicyclomine 10mg/5ml', '100mg/5ml'],
    ['Medroxyprogesterone 10 mg', '100 mg'],
    ['Azithromycin 250mg', '200mg'],
    ['Ibuprofen & Paracetamol 225mg/5ml', '255mg/5ml'],
    ['Colchicine, 500 microgram tablet', '500 Milligram'],
    ['Calcium and Vitamin D3, 500mg/400 UI', '750 mg + 400 UI'],
    ['Insulin 100 IU/ml', '40 IU/ml'],
    ['Sodium chloride 0.9 %', '9 %'],
  ])('contradict each other: %s, %s', (name, strength) => {
    expect(contradicts(strength, name, new ReadTexts())).toBe(true)
  })

  it.each([
    ['Amoxicillin 125mg/5ml', '125mg'],
    ['Augmentin 625', '500 mg/125 mg'],
    ['Dopamine 40mg/ml 5ml', '200mg/5ml'],
    ['Acyclovir 0.3%', '0.30%'],
    ['Heparin 10,000 units/ml', '10000 IU/ml'],
    ['Digoxin 250 mcg', '0.25 mg'],
    ['Insulin 30/70 100 IU/ml', '100IU/ml'],
    ['Retinol (Vitamin A) 200,000 IU', '200,000IU'],
    ['Calcium Gluconate 10% 100mg/ml', '10%'],
    ['Ceftriaxone 1g vial', '1000 mg'],
    ['Benzylpenicillin 1.2 million IU', '1200000 IU'],
    ['Panadol Extra', '500 mg/65 mg'],
    ['Co-amoxiclav 625 mg', '500 mg/125 mg'],
    ['Dextrose 5% 500ml', '25 g'],
    ['Monistat 3 200MG', '200MG'],
    ['Ferrous salt (eq. 65mg elemental Fe)', '200 mg'],
    ['Heparin 1.000 IE', '5000 IE'],
    ['Normal Saline 500ml', '0.9%'],
    ['Heparin 25,000 units in dextrose 5%', '50 UNITS/ML'],
    ['Clinimix 2.75/5 in dextrose 5%', '2.75%;5GM/100ML'],
    ['Photrexa viscous in dextran 20%', '0.146%'],
    ['Hypaque-M, 75%', '50%;25%'],
    ['Amino acids 5%', '2.75%;5GM/100ML'],
  ])('agree: %s, %s', (name, strength) => {
    expect(contradicts(strength, name, new ReadTexts())).toBe(false)
  })
})
