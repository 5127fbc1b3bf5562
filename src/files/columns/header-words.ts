import type { RecordTypeName } from '#shared/records/record-type'

/** The topic of a header's word. */
export type Topic =
  | 'object' // The kind of the records: drugs, tests, diagnoses.
  | 'name'
  | 'description'
  | 'brand'
  | 'short'
  | 'other'
  | 'common'
  | 'long'
  | 'generic'
  | 'active'
  | 'salts'
  | 'strength'
  | 'dose'
  | 'form'
  | 'pharmaceutical'
  | 'maker'
  | 'holder' // The license holder: often a different company than the manufacturer.
  | 'registration'
  | 'therapeutic'
  | 'class'
  | 'atc'
  | 'code'
  | 'number' // Alone, it only counts the rows.
  | 'barcode'
  | 'schedule'
  | 'icd'
  | 'loinc'
  | 'gender'
  | 'status'
  | 'specimen'
  | 'unit'
  | 'measure'
  | 'method'
  | 'result'
  | 'type'
  | 'pack'
  | 'and' // Between two things.
  | 'filler' // Meaningless by itself.

type Words = Partial<Record<Topic, string>>

/** Words of headers in English, French, Spanish, Portuguese, German, Italian and Russian. */
const WORDS: Words = {
  name: `name names namen nom noms nombre nombres nome nomes nomi denomination denominacion denominacao denominazione
    bezeichnung title libelle наименование название`,
  description: `description descripcion descricao descrizione beschreibung designation designacion designacao
    описание`,
  brand: 'brand trade proprietary commercial comercial commerciale marque marca handels торговое',
  short: 'short abbreviated court corto curto breve kurz abrege сокращенное краткое',
  other: `other alternative alternate synonym synonyms synonyme synonymes sinonimo sinonimos sinonimi autres otros
    outros outras otras altri weitere синонимы`,
  common: 'common commune comun comum comune',
  long: 'long full fully specified official original полное',
  generic: `generic generics generique generico generica genericos nonproprietary monodroga compuesto inn dci мнн
    molecule molecula molecola substance substances substancia substancias sustancia sustancias sostanza sostanze
    ingredient ingredients ingrediente ingredientes wirkstoff wirkstoffe principle principio principios principe
    principes principi droga freiname scientific cientifico scientifico вещество`,
  active:
    'active actif actifs activo activos activa activas ativo ativos ativa ativas attivo attivi attiva действующее',
  salts: 'salt salts composition compositions composicion composicao composizione zusammensetzung состав',
  strength: `strength strengths potency concentration concentracion concentracao concentrazione concent teneur
    potencia staerke starke wirkstaerke wirkstarke`,
  dose: 'dose dosage dosis dosierung dosagem dosificacion dosaggio дозировка',
  form: 'form forms forme forma formulation formulacion galenique darreichungsform arzneiform форма',
  pharmaceutical: `pharmaceutical pharmaceutic pharmaceutique farmaceutica farmaceutico pharmazeutische pharm farm
    farmac лекарственная`,
  maker: `manufacturer maker make mfr mfg producer industria labeler labeller laboratory laboratories laboratoire
    laboratoires laboratorio laboratorios lab fabricant fabricante fabbricante hersteller produttore productor
    производитель`,
  holder: `company applicant holder registrant marketer empresa ditta firma titulaire titular titolare detentor
    detentora detenteur zulassungsinhaber zulassungsinhaberin inhaber inhaberin владелец`,
  registration: `registration register registered registre registro registrazione enregistrement zulassung zulassungs
    authorization authorisation autorizacion autorisation autorizacao decision decisao licence license licensed
    marketing aic aim amm ру`,
  therapeutic: `therapeutic therapeutical therapeutique terapeutica terapeutico pharmacologic pharmacological
    pharmacologique farmacologica farmacologico therapeutische фармакотерапевтическая`,
  class: `class classe clase klasse classification clasificacion klassifikation category categorie categoria kategorie
    group groupe grupo gruppe gruppo family famille familia группа`,
  atc: 'atc атх атс',
  code: 'code codes codigo codice cod id ids uuid guid identifier identificador код',
  number: 'no nr num numero number nummer nbr номер',
  barcode: 'barcode barcodes ean ean13 gtin upc pzn cip cip7 cip13 ndc barra barras strichcode штрихкод штрих',
  schedule: 'schedule dea controlled',
  icd: 'icd icd10 icd10cm icd10gm cie cie10 cid cid10 cim cim10 мкб мкб10',
  loinc: 'loinc',
  gender: 'gender sex sexe sexo geschlecht sesso genre genero пол',
  status: 'status statut estado situacao situacion stato статус',
  specimen: `specimen sample echantillon prelevement muestra amostra probe probenmaterial untersuchungsmaterial
    campione биоматериал`,
  unit: 'unit units unite unidad unidade einheit masseinheit unita uom единица',
  measure: 'measure measurement mesure medida misura измерения',
  method: 'method methodology methode metodo technique tecnica messmethode метод',
  result: 'result resultat resultado risultato ergebnis data value результат',
  type: 'type typ tipo art kind тип вид',
  pack: `pack package packaging packing presentation presentacion apresentacao confezione conditionnement envase
    packung упаковка упаковщик`,
  and: 'and et y e und ed or ou o oder и или with avec con com mit',
  filler: `of the de del du des da do dos das di della dello la le les el los las l d der die das fur al aux a
    national nacional nazionale nationale international internationale internacional internazionale internal interne
    interno local unique unico`,
}

/** Words for the kind of a catalog's records. In a different catalog they mean something else. */
const OBJECTS: Readonly<Record<RecordTypeName, string>> = {
  medication: `drug drugs medicine medicines medication medications medicament medicaments medicamento medicamentos
    medicinale medicinali medikament medikamente medikamenten produkt product products produit produits producto
    productos produto produtos prodotto item items article artikel articulo material remedio specialite specialites
    prod med farmaco farmaci arzneimittel arzneimittels praeparat praparat препарат препарата лекарственного
    лекарственный`,
  lab_test: `test tests exam exams examen examenes examens exame exames esame esami analysis analyse analyses analisis
    analise analises analisi analyte investigation investigations untersuchung untersuchungen laborwert parameter
    prueba pruebas исследование анализ item`,
  symptom: 'symptom symptoms symptome symptomes sintoma sintomas sintomo sintomi симптом',
  diagnosis: `diagnosis diagnoses diagnose diagnosen diagnostic diagnostics diagnostico diagnosticos diagnosi disease
    diseases maladie maladies enfermedad enfermedades doenca doencas krankheit malattia pathologie pathology condition
    conditions patologia заболевание болезнь диагноз`,
}

/** Removes accents, to compare words. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()

const listed = (words: string): string[] => plainWord(words).trim().split(/\s+/)

const TOPICS: ReadonlyMap<string, Topic> = new Map(
  Object.entries(WORDS).flatMap(([topic, words]) => listed(words).map((word) => [word, topic as Topic] as const)),
)

const OBJECT_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OBJECTS).map(([type, words]) => [type, new Set(listed(words))]),
)

/** The topic of a word in a header of a catalog; undefined if unknown. @param word from `plainWord` */
export const topicOf = (word: string, type: RecordTypeName): Topic | undefined =>
  OBJECT_WORDS.get(type)?.has(word) ? 'object' : TOPICS.get(word)
