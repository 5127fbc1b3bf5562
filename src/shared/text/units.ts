/** Units of measure after numbers in names and strengths, in folded spelling. */

/** The base unit in which quantities of a kind are compared, and the factor to convert to it. */
export type Unit = readonly [base: string, factor: number]

/** Each line: the base unit of a kind, the factor, and the unit's names. */
const TABLE = `
mg 1e6 kg kilogram kilograms кг
mg 1000 g gm gms gram grams gramme grammes gramm gramo gramos grama gramas grammo grammi г غ غم جم غرام جرام
mg 1 mg mgs milligram milligrams milligramme milligrammes milligramm miligramo miligramos miligrama miligramas \
milligrammo milligrammi мг ملغ ملغم ملجم مجم مغ
mg 1e-3 mcg mcgs ug μg microgram micrograms microgramme microgrammes mikrogramm microgramo microgramos micrograma \
microgramas microgrammo microgrammi мкг مكغ مكجم ميكروغرام ميكروجرام
mg 1e-6 ng nanogram nanograms
mg 1e-9 pg
ml 1000 l liter liters litre litres л لتر
ml 100 dl
ml 10 cl
ml 1 ml mls cc milliliter milliliters millilitre millilitres мл مل
ml 1e-3 ul μl microliter microliters microlitre microlitres
unit 1 unit units iu ius ie ui u usp einheit einheiten unite unites unidad unidades unidade unita ед ме вд وحدة وحدات
meq 1 meq meqs mval milliequivalent milliequivalents
mmol 1000 mol
mmol 1 mmol mmols millimole millimoles ммоль
mmol 1e-3 umol μmol micromol
mmol 1e-6 nmol
mosm 1 mosm mosmol
mci 1000 ci
mci 1 mci
mci 1e-3 uci μci
mbq 1e6 tbq
mbq 1000 gbq
mbq 1 mbq мбк
mbq 1e-3 kbq
% 1 % percent
% 0.1 ‰
minute 1 min mins minute minutes
hour 1 h hr hrs hour hours
day 1 day days
week 1 wk wks week weeks
month 1 mo month months
year 1 yr yrs year years
dose 1 dose doses
actuation 1 actuation actuations
times 1 x times
cfu 1 cfu ufc
mm 10 cm
mm 1 mm
inch 1 inch inches
lb 1 lb lbs
billion 1 billion billions bn milliard milliards mrd`

/** Units that are only compared with themselves. Words of dosage forms are not units. */
const OTHERS = `
gr gtt iq kiu ku au bau ir hep lf flu pfu elisa ppm kcal cal kj joule ft oz yd mmhg kpa gy sv msv mgy sec тыс`

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [base = '', factor, ...names] = line.split(' ')
      return names.map((name): [string, Unit] => [name, [base, Number(factor)]])
    }),
  ...OTHERS.trim()
    .split(/\s/)
    .map((name): [string, Unit] => [name, [name, 1]]),
])

/** The unit that a folded word names. */
export const unitNamed = (word: string | undefined): Unit | undefined =>
  word === undefined ? undefined : UNITS.get(word)
