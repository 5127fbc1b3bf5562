import { describe, expect, it } from 'vitest'
import { readCsvFile } from '#files/text/csv-file'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

/**
 * The header rows of public lists, each with one of its rows, and the field that each column has; `-` for none. Where
 * two fields are right, the first one that the file has no other column for is named.
 */
const LISTS: readonly (readonly [name: string, type: RecordTypeName, header: string, row: string, fields: string])[] = [
  [
    ...(['generics of India', 'medication'] as const),
    'drug_code|product_name|salt_composition|dosage_form|unit_size|mrp|category|brand_equivalents',
    'JA001|Paracetamol 500 mg Tablet|Paracetamol 500mg|Tablet|10|10.50|Analgesic|Crocin,Calpol',
    'medication_id|name|generic_list|form_name|-|-|therapy_class|aliases',
  ],
  [
    ...(['brands of India', 'medication'] as const),
    'id|name|price(₹)|Is_discontinued|manufacturer_name|type|pack_size_label|short_composition1',
    '77|Dolo 650 Tablet|30.27|FALSE|Micro Labs Ltd|allopathy|strip of 15 tablets|Paracetamol (650mg)',
    'medication_id|name|-|is_active|manufacturer|-|-|generic_list',
  ],
  [
    ...(['drugs of a hospital in Haiti', 'medication'] as const),
    'Uuid|Void/Retire|Name|Concept Drug|Concept dosage form|Strength',
    '676780ae|TRUE|Celecoxib 200mg|72c81a79|164cd72a|200mg',
    'medication_id|is_active|name|-|-|strength',
  ],
  [
    ...(['lab tests of a hospital in Haiti', 'lab_test'] as const),
    'Uuid|Void/Retire|Same as mappings|Fully specified name:en|Short name:en|Description:en|Data class|Data type|Members|Units|Normal low',
    'b2cdf526|TRUE|x|Uric Acid|Uric|y|LabTest|Numeric|A|mg/dL|2.6',
    'lab_test_id|is_active|-|name|display_name|-|kind|result_type|panel_members|unit|-',
  ],
  [
    ...(['diagnoses of an open hospital system', 'diagnosis'] as const),
    'Uuid|Void/Retire|Fully specified name:fr|Short name:fr|Synonyms|ICD-10',
    '3cce870e|TRUE|Choléra|Choléra|x|A00.9',
    'diagnosis_id|is_active|name|display_name|aliases|icd10',
  ],
  [
    ...(['registered drugs of Uganda', 'medication'] as const),
    'identifier|nda_reg_number|license_holder|local_technical_rep|name_of_drug|country_of_manufacture|dosage_form|pack_size',
    '1|NDA/MAL/HHP/3115|SHURIK LTD|SHURIK LTD|RHINO BALM|INDIA|OINTMENTS|1.0X20.0 G',
    'medication_id|-|manufacturer|-|name|-|form_name|-',
  ],
  [
    ...(['drugs of Singapore', 'medication'] as const),
    'id|drugName|drugDoseQuantity|drugDoseFrequencyFactor|drugPrice|drugMinOrderQty',
    '1|Amlodipine 5mg Tablet|1|Every Morning|0.65|30',
    'medication_id|name|-|-|-|-',
  ],
  [
    ...(['a price file of the United States', 'medication'] as const),
    'ndc_code|drug_name|generic_name|strength|dosage_form|manufacturer|drug_class|dea_schedule|awp_price|is_active',
    '0002|Humalog|insulin lispro|100 U/ml|Injection|Lilly|Antidiabetic|Rx|10|true',
    'sku|name|generic_name|strength|form_name|manufacturer|therapy_class|schedule_code|-|is_active',
  ],
  [
    ...(['a stock of Kenya', 'medication'] as const),
    'Item Code|Item Description|Brand|Barcode|Dose Form|Concentration|Status',
    'K1|Amoxicillin caps|Amoxil|616|Capsule|250mg|Active',
    'medication_id|name|-|sku|form_name|strength|is_active',
  ],
  [
    ...(['drugs of Morocco', 'medication'] as const),
    'nom|dosage|substance|forme|statut',
    '18-FDG RIM|250 MBQ / ML|FLUDESOXYGLUCOSE|SOLUTION INJECTABLE|Commercialisé',
    'name|strength|generic_name|form_name|is_active',
  ],
  [
    ...(['drugs of France', 'medication'] as const),
    'code_cis|dénomination|forme_pharmaceutique|voies_administration|titulaire|état_commercialisation',
    '60002283|ANASTROZOLE 1 mg|comprimé|orale|ACCORD|x',
    'medication_id|name|form_name|-|manufacturer|-',
  ],
  [
    ...(['a formulary of Quebec', 'medication'] as const),
    'Code|Dénomination commune (DCI)|Nom commercial|Teneur|Forme|Fabricant|Classe thérapeutique',
    '1|acétaminophène|Tylenol|500 mg|comprimé|J&J|analgésique',
    'medication_id|generic_name|name|strength|form_name|manufacturer|therapy_class',
  ],
  [
    ...(['tests of a laboratory in France', 'lab_test'] as const),
    'Code analyse|Libellé|Prélèvement|Unité|Méthode|Code LOINC',
    'GLU|Glucose|Sérum|mmol/L|Enzymatique|2345-7',
    '-|name|specimen|unit|method|loinc',
  ],
  [
    ...(['drugs of Argentina', 'medication'] as const),
    'DROGA|MARCA|PRESENTACION|LABORATORIO|COBERTURA|COPAGO',
    'aceite de pescado|OMACOR|caps x 28|Richmond|50%|$ 2483',
    'generic_name|name|-|manufacturer|-|-',
  ],
  [
    ...(['drugs of Mexico', 'medication'] as const),
    'Código|Nombre Genérico|Forma Farmacéutica|Concentración|Precio|Grupo Terapéutico',
    '1012|ACICLOVIR|Crema|50mg/g|3500|Antiviral',
    'medication_id|generic_name|form_name|strength|-|therapy_class',
  ],
  [
    ...(['drugs of a clinic in Mexico', 'medication'] as const),
    'generic_name|commercial_name|presentation|active_substance|route|concentration|status',
    'Ibuprofeno|Advil 400|Inhalador|Ibuprofeno|Oral|50 mg|active',
    'generic_name|name|-|-|-|strength|is_active',
  ],
  [
    ...(['a shop of Spain', 'medication'] as const),
    'sku|nombre|codigo_barras|categoria|principio_activo|forma_farmaceutica|laboratorio|activo',
    'F1|Vitacilina|7502|Piel|neomicina|Ungüento|Taisho|true',
    'sku|name|-|therapy_class|generic_name|form_name|manufacturer|is_active',
  ],
  [
    ...(['tests of a laboratory in Spain', 'lab_test'] as const),
    'Código|Análisis|Tipo de muestra|Unidad|Método|Sección',
    'GLU|Glucosa|Suero|mg/dL|Enzimático|Bioquímica',
    'lab_test_id|name|specimen|unit|method|discipline',
  ],
  [
    ...(['prices of Brazil', 'medication'] as const),
    'principio|cnpj|Laboratorio|codigoGGREM|registro|ean|nome|apresentacao|classeTerapeutica',
    'ABATACEPTE|56.998|BMS|5051|1018|7896|ORENCIA|250 MG|M01C0',
    'generic_name|-|manufacturer|-|-|sku|name|-|therapy_class',
  ],
  [
    ...(['medicines of a city in Brazil', 'medication'] as const),
    'id_medicamento|nome_medicamento|princípio ativo|concentração|forma farmacêutica|situação',
    '1|MORFINA|morfina|10 mg|comprimido|ativo',
    'medication_id|name|generic_name|strength|form_name|is_active',
  ],
  [...(['diagnoses of Brazil', 'diagnosis'] as const), 'CID|Descrição|Sexo', 'A00|Cólera|F', 'icd10|name|gender'],
  [
    ...(['an app of Germany', 'medication'] as const),
    'Name|PZN|Wirkstoff|Wirkstoff-ID|Staerke|Darreichungsform|Notiz',
    'Aspirin|0048|ASS|7|500 mg|Tablette|x',
    'name|sku|generic_name|-|strength|form_name|-',
  ],
  [
    ...(['a hospital of Germany', 'medication'] as const),
    'Artikelnummer|Handelsname|Wirkstoff|Stärke|Darreichungsform|Hersteller|ATC-Code|Aktiv',
    'A1|Aspirin|ASS|500 mg|Tablette|Bayer|N02BA01|ja',
    'medication_id|name|generic_name|strength|form_name|manufacturer|therapy_class_id|is_active',
  ],
  [
    ...(['anaesthetics of Germany', 'medication'] as const),
    'Medikament|Gruppe|Dosis_Bolus_mg_pro_kg|Maximale_Dosis_mg|Einheit|Altersgruppe',
    'Propofol|Hypnotika|2.0|200|mg/kg/h|Erwachsene',
    'name|therapy_class|-|-|-|-',
  ],
  [
    ...(['tests of a laboratory in Germany', 'lab_test'] as const),
    'Code|Untersuchung|Untersuchungsmaterial|Einheit|Messmethode',
    'GLU|Glukose|Serum|mg/dl|Enzymatisch',
    'lab_test_id|name|specimen|unit|method',
  ],
  [
    ...(['devices of Italy', 'medication'] as const),
    'PROGRESSIVO_DM_ASS|FABBRICANTE_ASSEMBLATORE|DENOMINAZIONE_COMMERCIALE|CODICE_CATALOGO_FABBR_ASS',
    '1221|ID&CO S.R.L.|PENNARELLI|PD01R',
    '-|-|name|-',
  ],
  [
    ...(['drugs of Italy', 'medication'] as const),
    'Codice|Principio attivo|Denominazione|Dosaggio|Forma farmaceutica|Ditta|Codice ATC',
    '0123|paracetamolo|Tachipirina|500 mg|compressa|Angelini|N02BE01',
    'medication_id|generic_name|name|strength|form_name|manufacturer|therapy_class_id',
  ],
  [
    ...(['symptoms of Morocco', 'symptom'] as const),
    'symptome|causes_possibles|conseils|urgence',
    'Mal de tête|Fatigue|Reposez-vous|x',
    'name|-|-|-',
  ],
]

/** The fields of the columns of a list, as they are read or proposed. */
function proposed(type: RecordTypeName, header: string, row: string): string[] {
  const text = `${header}\n${row}\n`.replaceAll('|', '\t')
  const { fileColumns } = readCsvFile(new TextEncoder().encode(text), recordTypes[type])
  return fileColumns.map(({ field }) => field?.name ?? '-')
}

describe('the headers of public lists', () => {
  it('are proposed rightly in nine of ten, and hardly any is proposed wrongly', () => {
    const wrong: string[] = []
    let meant = 0
    for (const [name, type, header, row, fields] of LISTS) {
      const expected = fields.split('|')
      const found = proposed(type, header, row)
      meant += expected.filter((field) => field !== '-').length
      for (const [at, field] of expected.entries())
        if (found[at] !== field) wrong.push(`${name}: ${header.split('|')[at]} is ${found[at]}, not ${field}`)
    }
    expect(meant).toBeGreaterThan(130)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(meant / 20)
  })

  it.each([
    ['void', 'medication'],
    ['Retired?', 'lab_test'],
    ['Discontinued', 'diagnosis'],
  ] as const)('are proposed reversed if they say that something is over: %s', (header, type) => {
    const text = `id,name,${header}\n1,A,TRUE\n`
    const { fileColumns } = readCsvFile(new TextEncoder().encode(text), recordTypes[type])
    expect(fileColumns[2]).toMatchObject({ field: { name: 'is_active' }, reversed: true, by: 'guess' })
  })
})
