import type { RecordTypeName } from '#shared/records/record-type'

/** The header row of a public list, one of its rows, and the fields of its columns, each separated by pipes. */
export interface PublicList {
  name: string
  type: RecordTypeName
  header: string
  row: string
  /** `-` for a column without a field. */
  fields: string
}

/**
 * Public lists that were used to collect the header words. If two fields are right, the first one that the file has no
 * other column for is listed.
 */
export const FIRST_LISTS: readonly PublicList[] = [
  {
    name: 'generics of India',
    type: 'medication',
    header: 'drug_code|product_name|salt_composition|dosage_form|unit_size|mrp|category|brand_equivalents',
    row: 'JA001|Paracetamol 500 mg Tablet|Paracetamol 500mg|Tablet|10|10.50|Analgesic|Crocin,Calpol',
    fields: 'medication_id|name|generic_list|form_name|-|-|therapy_class|aliases',
  },
  {
    name: 'brands of India',
    type: 'medication',
    header: 'id|name|price(₹)|Is_discontinued|manufacturer_name|type|pack_size_label|short_composition1',
    row: '77|Dolo 650 Tablet|30.27|FALSE|Micro Labs Ltd|allopathy|strip of 15 tablets|Paracetamol (650mg)',
    fields: 'medication_id|name|-|is_active|manufacturer|-|-|generic_list',
  },
  {
    name: 'drugs of a hospital in Haiti',
    type: 'medication',
    header: 'Uuid|Void/Retire|Name|Concept Drug|Concept dosage form|Strength',
    row: '676780ae|TRUE|Celecoxib 200mg|72c81a79|164cd72a|200mg',
    fields: 'medication_id|is_active|name|-|-|strength',
  },
  {
    name: 'lab tests of a hospital in Haiti',
    type: 'lab_test',
    header:
      'Uuid|Void/Retire|Same as mappings|Fully specified name:en|Short name:en|Description:en|Data class|Data type|Members|Units|Normal low',
    row: 'b2cdf526|TRUE|x|Uric Acid|Uric|y|LabTest|Numeric|A|mg/dL|2.6',
    fields: 'lab_test_id|is_active|-|name|display_name|-|kind|result_type|panel_members|unit|-',
  },
  {
    name: 'diagnoses of an open hospital system',
    type: 'diagnosis',
    header: 'Uuid|Void/Retire|Fully specified name:fr|Short name:fr|Synonyms|ICD-10',
    row: '3cce870e|TRUE|Choléra|Choléra|x|A00.9',
    fields: 'diagnosis_id|is_active|name|display_name|aliases|icd10',
  },
  {
    name: 'registered drugs of Uganda',
    type: 'medication',
    header:
      'identifier|nda_reg_number|license_holder|local_technical_rep|name_of_drug|country_of_manufacture|dosage_form|pack_size',
    row: '1|NDA/MAL/HHP/3115|SHURIK LTD|SHURIK LTD|RHINO BALM|INDIA|OINTMENTS|1.0X20.0 G',
    fields: 'medication_id|-|manufacturer|-|name|-|form_name|-',
  },
  {
    name: 'drugs of Singapore',
    type: 'medication',
    header: 'id|drugName|drugDoseQuantity|drugDoseFrequencyFactor|drugPrice|drugMinOrderQty',
    row: '1|Amlodipine 5mg Tablet|1|Every Morning|0.65|30',
    fields: 'medication_id|name|-|-|-|-',
  },
  {
    name: 'a price file of the United States',
    type: 'medication',
    header:
      'ndc_code|drug_name|generic_name|strength|dosage_form|manufacturer|drug_class|dea_schedule|awp_price|is_active',
    row: '0002|Humalog|insulin lispro|100 U/ml|Injection|Lilly|Antidiabetic|Rx|10|true',
    fields: 'sku|name|generic_name|strength|form_name|manufacturer|therapy_class|schedule_code|-|is_active',
  },
  {
    name: 'a stock of Kenya',
    type: 'medication',
    header: 'Item Code|Item Description|Brand|Barcode|Dose Form|Concentration|Status',
    row: 'K1|Amoxicillin caps|Amoxil|616|Capsule|250mg|Active',
    fields: 'medication_id|name|-|sku|form_name|strength|is_active',
  },
  {
    name: 'drugs of Morocco',
    type: 'medication',
    header: 'nom|dosage|substance|forme|statut',
    row: '18-FDG RIM|250 MBQ / ML|FLUDESOXYGLUCOSE|SOLUTION INJECTABLE|Commercialisé',
    fields: 'name|strength|generic_name|form_name|is_active',
  },
  {
    name: 'drugs of France',
    type: 'medication',
    header: 'code_cis|dénomination|forme_pharmaceutique|voies_administration|titulaire|état_commercialisation',
    row: '60002283|ANASTROZOLE 1 mg|comprimé|orale|ACCORD|x',
    fields: 'medication_id|name|form_name|-|manufacturer|-',
  },
  {
    name: 'a formulary of Quebec',
    type: 'medication',
    header: 'Code|Dénomination commune (DCI)|Nom commercial|Teneur|Forme|Fabricant|Classe thérapeutique',
    row: '1|acétaminophène|Tylenol|500 mg|comprimé|J&J|analgésique',
    fields: 'medication_id|generic_name|name|strength|form_name|manufacturer|therapy_class',
  },
  {
    name: 'tests of a laboratory in France',
    type: 'lab_test',
    header: 'Code analyse|Libellé|Prélèvement|Unité|Méthode|Code LOINC',
    row: 'GLU|Glucose|Sérum|mmol/L|Enzymatique|2345-7',
    fields: 'lab_test_id|name|specimen|unit|method|loinc',
  },
  {
    name: 'drugs of Argentina',
    type: 'medication',
    header: 'DROGA|MARCA|PRESENTACION|LABORATORIO|COBERTURA|COPAGO',
    row: 'aceite de pescado|OMACOR|caps x 28|Richmond|50%|$ 2483',
    fields: 'generic_name|name|-|manufacturer|-|-',
  },
  {
    name: 'drugs of Mexico',
    type: 'medication',
    header: 'Código|Nombre Genérico|Forma Farmacéutica|Concentración|Precio|Grupo Terapéutico',
    row: '1012|ACICLOVIR|Crema|50mg/g|3500|Antiviral',
    fields: 'medication_id|generic_name|form_name|strength|-|therapy_class',
  },
  {
    name: 'drugs of a clinic in Mexico',
    type: 'medication',
    header: 'generic_name|commercial_name|presentation|active_substance|route|concentration|status',
    row: 'Ibuprofeno|Advil 400|Inhalador|Ibuprofeno|Oral|50 mg|active',
    fields: 'generic_name|name|-|-|-|strength|is_active',
  },
  {
    name: 'a shop of Spain',
    type: 'medication',
    header: 'sku|nombre|codigo_barras|categoria|principio_activo|forma_farmaceutica|laboratorio|activo',
    row: 'F1|Vitacilina|7502|Piel|neomicina|Ungüento|Taisho|true',
    fields: 'sku|name|-|therapy_class|generic_name|form_name|manufacturer|is_active',
  },
  {
    name: 'tests of a laboratory in Spain',
    type: 'lab_test',
    header: 'Código|Análisis|Tipo de muestra|Unidad|Método|Sección',
    row: 'GLU|Glucosa|Suero|mg/dL|Enzimático|Bioquímica',
    fields: 'lab_test_id|name|specimen|unit|method|discipline',
  },
  {
    name: 'prices of Brazil',
    type: 'medication',
    header: 'principio|cnpj|Laboratorio|codigoGGREM|registro|ean|nome|apresentacao|classeTerapeutica',
    row: 'ABATACEPTE|56.998|BMS|5051|1018|7896|ORENCIA|250 MG|M01C0',
    fields: 'generic_name|-|manufacturer|-|-|sku|name|-|therapy_class',
  },
  {
    name: 'medicines of a city in Brazil',
    type: 'medication',
    header: 'id_medicamento|nome_medicamento|princípio ativo|concentração|forma farmacêutica|situação',
    row: '1|MORFINA|morfina|10 mg|comprimido|ativo',
    fields: 'medication_id|name|generic_name|strength|form_name|is_active',
  },
  {
    name: 'diagnoses of Brazil',
    type: 'diagnosis',
    header: 'CID|Descrição|Sexo',
    row: 'A00|Cólera|F',
    fields: 'icd10|name|gender',
  },
  {
    name: 'an app of Germany',
    type: 'medication',
    header: 'Name|PZN|Wirkstoff|Wirkstoff-ID|Staerke|Darreichungsform|Notiz',
    row: 'Aspirin|0048|ASS|7|500 mg|Tablette|x',
    fields: 'name|sku|generic_name|generic_id|strength|form_name|-',
  },
  {
    name: 'a hospital of Germany',
    type: 'medication',
    header: 'Artikelnummer|Handelsname|Wirkstoff|Stärke|Darreichungsform|Hersteller|ATC-Code|Aktiv',
    row: 'A1|Aspirin|ASS|500 mg|Tablette|Bayer|N02BA01|ja',
    fields: 'medication_id|name|generic_name|strength|form_name|manufacturer|therapy_class_id|is_active',
  },
  {
    name: 'anaesthetics of Germany',
    type: 'medication',
    header: 'Medikament|Gruppe|Dosis_Bolus_mg_pro_kg|Maximale_Dosis_mg|Einheit|Altersgruppe',
    row: 'Propofol|Hypnotika|2.0|200|mg/kg/h|Erwachsene',
    fields: 'name|therapy_class|-|-|-|-',
  },
  {
    name: 'tests of a laboratory in Germany',
    type: 'lab_test',
    header: 'Code|Untersuchung|Untersuchungsmaterial|Einheit|Messmethode',
    row: 'GLU|Glukose|Serum|mg/dl|Enzymatisch',
    fields: 'lab_test_id|name|specimen|unit|method',
  },
  {
    name: 'devices of Italy',
    type: 'medication',
    header: 'PROGRESSIVO_DM_ASS|FABBRICANTE_ASSEMBLATORE|DENOMINAZIONE_COMMERCIALE|CODICE_CATALOGO_FABBR_ASS',
    row: '1221|ID&CO S.R.L.|PENNARELLI|PD01R',
    fields: '-|-|name|-',
  },
  {
    name: 'drugs of Italy',
    type: 'medication',
    header: 'Codice|Principio attivo|Denominazione|Dosaggio|Forma farmaceutica|Ditta|Codice ATC',
    row: '0123|paracetamolo|Tachipirina|500 mg|compressa|Angelini|N02BE01',
    fields: 'medication_id|generic_name|name|strength|form_name|manufacturer|therapy_class_id',
  },
  {
    name: 'symptoms of Morocco',
    type: 'symptom',
    header: 'symptome|causes_possibles|conseils|urgence',
    row: 'Mal de tête|Fatigue|Reposez-vous|x',
    fields: 'name|-|-|-',
  },
]
