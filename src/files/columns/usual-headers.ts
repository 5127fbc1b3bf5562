import { compactHeader } from '#shared/records/csv/header'
import { OPPOSITE_HEADERS, OTHER_HEADERS } from '#shared/records/csv/state-headers'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'

/** A header with a language behind it: `Name:fr`, `name:pt-BR`. */
const WITH_LANGUAGE = /^(.+?)\s*:\s*[a-z]{2}(?:[-_][a-z]{2})?$/i

/** A header without the language behind it; undefined if it has none. */
export const withoutLanguage = (header: string): string | undefined => WITH_LANGUAGE.exec(header.trim())?.[1]

interface UsualMeaning {
  /** The first of these fields that a type has. */
  fields: readonly string[]
  reversed?: true
  /** Whether another header says it better: a description is a name only if nothing else is. */
  isWeak?: true
}

/** Stands for the id field of the type. */
const ID = 'id'

const meaning = (fields: string, headers: string, more: Omit<UsualMeaning, 'fields'> = {}): [string, UsualMeaning][] =>
  headers
    .trim()
    .split(/\s+/)
    .map((header) => [header, { fields: fields.split(' '), ...more }])

/**
 * Headers that people use and the service does not know, as `compactHeader` has them, with the field that they mostly
 * mean. Collected from public lists in English, French, Spanish, Portuguese, German and Italian.
 */
const USUAL_HEADERS: ReadonlyMap<string, UsualMeaning> = new Map([
  ...meaning(
    ID,
    `id code ids uuid guid identifier recordid drugid drugcode drugno medicineid medicinecode medicationcode productid
    productcode
    productno itemno itemnumber articleno materialno testid testcode symptomcode diagnosiscode conceptid serialno
    codigo codigomedicamento codigoproducto idmedicamento idmedicamentos idproducto codmed coditem codigoitem cod
    codemedicament codearticle codeproduit idmedicament codecis cis reference
    artikelnummer artikelnr materialnummer mednr codice codicefarmaco idfarmaco codiceprodotto`,
  ),
  ...meaning(
    'name',
    `brand brandname product productname tradename proprietaryname commercialname medicine drug medication medicinename
    nameofdrug nameofmedicine drugdescription itemname itemdescription articlename test testname symptom diagnosis
    disease condition fullyspecifiedname fullname investigation investigationname analyte
    nom nommedicament nomcommercial nomdumedicament denomination medicament specialite produit marque nomproduit
    analyse examen nomexamen symptome maladie diagnostic libelle
    nombre nombrecomercial nombremedicamento nombredelmedicamento medicamento producto marca nombreproducto
    analisis nombreexamen sintoma enfermedad diagnostico
    nome nomecomercial nomemedicamento nomedomedicamento produto remedio exame nomeexame doenca
    medikament arzneimittel praeparat praparat handelsname bezeichnung medikamentenname produktname untersuchung
    laborwert parameter krankheit diagnose
    farmaco nomefarmaco nomecommerciale denominazione denominazionecommerciale prodotto esame malattia diagnosi`,
  ),
  ...meaning('name', 'description descricao descripcion beschreibung descrizione designation', { isWeak: true }),
  ...meaning('display_name', 'shortname nomcourt nombrecorto nomecurto kurzname nomebreve printname'),
  ...meaning(
    'aliases',
    `synonym brandnames brandequivalents brands othernames othername alternativenames alternatenames alternativename
    synonymes synonyme autresnoms sinonimos sinonimo otrosnombres outrosnomes sinonimi altrinomi weiterenamen`,
  ),
  ...meaning(
    'generic_name',
    `generic genericname molecule inn propername nonproprietaryname activesubstance activesubstances substance
    activeingredient activeingredients ingredient ingredients drugmolecule
    dci substanceactive principeactif principesactifs nomgenerique denominationcommune denominationcommuneinternationale
    principioactivo principiosactivos sustanciaactiva nombregenerico denominaciongenerica droga monodroga compuesto
    principioativo principiosativos nomegenerico principio substancia substanciaativa denominacaogenerica
    wirkstoff wirkstoffe wirkstoffname freiname principioattivo principiattivi nomegenerico molecola`,
  ),
  ...meaning(
    'generic_list',
    `composition saltcomposition compositions shortcomposition1 composicion composicao zusammensetzung
    composizione salt`,
  ),
  ...meaning(
    'strength',
    `dose dosage potency strengthvalue concentration doseform1 concentracion concentracao dosis dosierung staerke starke
    wirkstaerke wirkstarke dosaggio concentrazione teneur dosificacion dosagem potencia`,
  ),
  ...meaning(
    'form_name',
    `formulation pharmaceuticalform doseform formtype forme formepharmaceutique formegalenique formafarmaceutica forma
    darreichungsform arzneiform formafarmaceutica formulacion`,
  ),
  ...meaning(
    'manufacturer',
    `mfr mfg make marketer producer supplier maker laboratory fabricant laboratoire titulaire fabricante laboratorio
    hersteller fabbricante produttore ditta industria licenseholder marketingauthorisationholder
    marketingauthorizationholder`,
  ),
  ...meaning('schedule_code', 'schedule deaschedule drugschedule controlledschedule'),
  ...meaning(
    'therapy_class discipline',
    `category therapeuticclass therapeuticcategory therapeuticgroup drugclass group pharmacologicalclass class1
    categorie classetherapeutique famille categoria clasificacion clase claseterapeutica grupoterapeutico grupo
    classeterapeutica gruppe kategorie wirkstoffgruppe indikationsgruppe classe`,
  ),
  ...meaning('therapy_class_id', 'atc codatc atccode codeatc codigoatc codiceatc atcklassifikation'),
  ...meaning('sku', 'ean ean13 barcode gtin upc pzn cip cip13 cip7 ndc ndccode codigobarras codigodebarras codigoean'),
  ...meaning('otc', 'overthecounter isotc nonprescription rezeptfrei ventalibre'),
  ...meaning(
    'specimen',
    `sample sampletype specimentype specimensource prelevement echantillon typedechantillon muestra tipodemuestra
    amostra material probe probenmaterial untersuchungsmaterial campione tipocampione`,
  ),
  ...meaning('unit', 'unitofmeasure uom measureunit unite unidad unidade unidaddemedida einheit masseinheit unita'),
  ...meaning('kind', 'testkind dataclass class conceptclass typeoftest'),
  ...meaning('result_type', 'datatype resultdatatype valuetype typeofresult resulttype typederesultat ergebnistyp'),
  ...meaning('discipline', 'department section labsection discipline1 disciplina fachgebiet seccion'),
  ...meaning('method', 'methode metodo methodology technique testmethod messmethode'),
  ...meaning('panel_members', 'setmembers paneltests testsinpanel componenttests components'),
  ...meaning('icd10', 'icdcode icd10cm icd10gm cim10 codecim10 cie10 codigocie10 cid10 cid codigocid icd10code'),
  ...meaning('gender', 'sexe sexo geschlecht sesso genero genre'),
  ...meaning('loinc', 'loincnumber loincnum loincno codeloinc'),
  ...meaning('is_active', OTHER_HEADERS),
  ...meaning('is_active', OPPOSITE_HEADERS, { reversed: true }),
])

/** The field that a header mostly means, and whether the column says the opposite of it. @param isWeak of those too */
export function usualMeaning(
  header: string,
  type: RecordType,
  isWeak = true,
): { field: Field; reversed: boolean } | undefined {
  const usual = USUAL_HEADERS.get(compactHeader(header))
  if (usual === undefined || (usual.isWeak && !isWeak)) return undefined
  const fields = usual.fields.map((name) => fieldNamed(type, name === ID ? type.idField : name))
  const field = fields.find((one) => one !== undefined)
  return field && { field, reversed: usual.reversed === true }
}
