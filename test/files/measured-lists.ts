import type { PublicList } from './public-lists'

/** Public lists that were not used to develop anything: they only measure the suggestions. */
export const MEASURED_LISTS: readonly PublicList[] = [
  {
    name: 'drug prices of Argentina (F-Fischer/carol-backend)',
    type: 'medication',
    header: 'Principio activo|Potencia|Unidad de potencia|Unidades|Tipo|Forma farmacéutica|Precio de referencia',
    row: 'acenocumarol|4|mg|20|unidades|Comprimidos|$ 2.635,90',
    fields: 'generic_name|strength|-|-|-|form_name|-',
  },
  {
    name: 'drugs of Bolivia (mauforonda/unidos_contra_el_covid)',
    type: 'medication',
    header:
      'registro_sanitario|nombre_comercial|nombre_generico|presentacion|empresa_proveedora|precio_unitario|forma_farmaceutica|estado|fecha_registro|fecha_modificacion',
    row: '21378|CETOFAR 120 MG/5ML|ACETAMINOFENO|FRASCO X 60 ML.|LAFAR S.A.|18,75|JARABE|ACTIVO|2021-01-15|2021-01-15',
    fields: '-/medication_id|name|generic_name|-|-/manufacturer|-|form_name|is_active|-|-',
  },
  {
    name: 'drugs of a course in Spain (FP-21-22/fp-proyecto-java-AdriRB03)',
    type: 'medication',
    header:
      'Nombre_medicamento|Tipo_medicamento|Codigo_enfermedad|Farmaceutica|Puntuacion|Indice_somatico|Fecha_catalogo',
    row: 'efavirenz|Anatomico|Y212XXA|Actavis LLC|90.0|1848|04/12/2019',
    fields: 'name|-|-|-/manufacturer|-|-|-',
  },
  {
    name: 'diagnoses of Brazil (andrejarenkow/csv)',
    type: 'diagnosis',
    header: 'SUBCAT|DESCRICAO',
    row: 'A00|Cólera',
    fields: '-/diagnosis_id/icd10|name',
  },
  {
    name: 'diagnoses of a consultancy in Brazil (ushergui/lummia-consultoria)',
    type: 'diagnosis',
    header: 'codigo|descricao',
    row: 'A000|Cólera',
    fields: 'diagnosis_id|name',
  },
  {
    name: 'drugs of a course in Belgium (andriusezerskis/ProjetBDD)',
    type: 'medication',
    header: 'dci|nom Commercial|système anatomique|conditionnement',
    row: 'BEVACIZUMAB|Acinax|antineoplasiques|28',
    fields: 'generic_name|name|-/therapy_class|-',
  },
  {
    name: 'drugs of a hospital system in Morocco (BenlhabibMoGhali/Systeme-de-Gestion-Hospitaliere)',
    type: 'medication',
    header: 'nom|code|quantite|dateExpiration|controle',
    row: 'Morphine|MED-001|12|2026-01-17|true',
    fields: 'name|medication_id|-|-|-/schedule_code',
  },
  {
    name: 'a formulary of the United States (sumaksharikaa/drug-utilization-analytics)',
    type: 'medication',
    header:
      'drug_id|brand_name|generic_name|therapy_area|manufacturer|dosage_form|strength|unit_cost_usd|formulary_tier|requires_prior_auth|is_specialty|is_cold_chain|ndc|days_supply_limit',
    row: 'DRG001|Humira|Adalimumab|Immunology|AbbVie|Injection|40mg|6500|4|True|True|True|62950-489-35|30',
    fields: 'medication_id|name|generic_name|therapy_class|manufacturer|form_name|strength|-|-|-|-|-|sku|-',
  },
  {
    name: 'drugs of a pharmacy in Ghana (CodeNelly-nelson/PIS_for_Atinka_Meds)',
    type: 'medication',
    header: '# code|name|price|stock|expiry|threshold|suppliers',
    row: 'P001|Paracetamol|2.30|205|2026-12-12|50|S002',
    fields: 'medication_id|name|-|-|-|-|-',
  },
  {
    name: 'drugs of a pharmacy in Brazil (EricaMGS/pi3_app_farmacia_solidaria_pwa)',
    type: 'medication',
    header: 'ID_Med|Desc_Med|Dosagem|Qtd_Est|Fabricante|Uso_Controlado|Posic_Estq',
    row: '1|DIPIRONA|500 MG|10|EMS|N|A1',
    fields: 'medication_id|name|strength|-|manufacturer|-|-',
  },
  {
    name: 'drugs of a shop in Spain (jordimunozflorensa/HackUPC_2024)',
    type: 'medication',
    header: 'id|name|ean',
    row: '000001|CALIERCORTIN 4mg/ml- 50ml iny|8422320327704',
    fields: 'medication_id|name|sku',
  },
  {
    name: 'an import of drugs in Germany',
    type: 'medication',
    header:
      'pzn|name|manufacturer|active_ingredient|atc_code|strength|form|package_size|pharmacy_price|prescription_required',
    row: '0048|Ibuprofen AL 400 mg|ALIUD|Ibuprofen|M01AE01|400 mg|Filmtabletten|20|5.97|false',
    fields: 'sku|name|manufacturer|generic_name|therapy_class_id|strength|form_name|-|-|-',
  },
  {
    name: 'an import of articles in Germany',
    type: 'medication',
    header: 'PZN|Name|Hersteller|AEP|AVP',
    row: '0048|Aspirin|Bayer|3.20|5.97',
    fields: 'sku|name|manufacturer|-|-',
  },
  {
    name: 'an import of drugs in Brazil',
    type: 'medication',
    header:
      'nome|principio_ativo|dosagem|apresentacao|preco_venda|estoque|estoque_minimo|fabricante|requer_receita|ean',
    row: 'Dipirona Gotas|Dipirona Sódica|500mg/ml|Frasco 20ml|9.90|30|5|Neo Química|0|7891234567890',
    fields: 'name|generic_name|strength|-|-|-|-|manufacturer|-|sku',
  },
  {
    name: 'an import of drugs in Italy (AIFA)',
    type: 'medication',
    header:
      'Codice AIC|Denominazione|Principio Attivo|Dosaggio|Forma Farmaceutica|Confezione|Ditta Titolare|Via Somministrazione|Classe|Codice ATC|Note',
    row: '024982012|TACHIPIRINA|PARACETAMOLO|500 mg|Compressa|20 compresse|ANGELINI|Orale|A|N02BE01|x',
    fields:
      '-/medication_id/sku|name|generic_name|strength|form_name|-|manufacturer|-|-/therapy_class|therapy_class_id|-',
  },
  {
    name: 'a catalog of lab tests',
    type: 'lab_test',
    header: 'test_code|test_name|category|specimen_type|unit|reference_low|reference_high|default_charge|active',
    row: 'HBA1C|HbA1c|Biochemistry|Blood|%|4.0|5.6|12|true',
    fields: 'lab_test_id|name|discipline|specimen|unit|-|-|-|is_active',
  },
  {
    name: 'an import of drugs in Colombia (INVIMA)',
    type: 'medication',
    header: 'codigo|nombre|principio_activo|concentracion|forma_farmaceutica',
    row: '1|ACETAMINOFEN|acetaminofén|500 mg|TABLETA',
    fields: 'medication_id|name|generic_name|strength|form_name',
  },
  {
    name: 'drugs of a clinic in Italy (gdavide715/Clinica)',
    type: 'medication',
    header: 'codiceFarmaco|nome',
    row: 'F001|Metformina',
    fields: 'medication_id|name',
  },
  {
    name: 'drugs of a pharmacy in Poland (Niewyczes/Apteka)',
    type: 'medication',
    header: 'ID|DRUG|ON_RECEPT|NO_PACKAGES_AVAILABLE|DATE',
    row: '1|Aspiryna|NIE|112|2027-09-11',
    fields: 'medication_id|name|-|-|-',
  },
  {
    name: 'medicines of Botswana (GorataStone/Med-stock)',
    type: 'medication',
    header: 'medicine_id|medicine_name|disease_category|dosage_form|strength|unit_cost|minimum_buffer_days',
    row: 'MAL_RDT|ACT Adult Dose|Malaria|Tablet|20/120mg|5.5|21',
    fields: 'medication_id|name|-/therapy_class|form_name|strength|-|-',
  },
  {
    name: 'a compounding formulary (rajbrades/kintaro_formulary)',
    type: 'medication',
    header:
      'category|product_name|active_ingredients|strength|form|package|pharmacy|sku|wholesale_cost|rx_required|tags|notes',
    row: 'Hormone Therapy|Anastrozole|anastrozole|0.1mg|capsule|30|V Pharm|ANA10|0.5|yes|aromatase-inhibitor|x',
    fields: 'therapy_class|name|generic_name|strength|form_name|-|-|sku|-|-|-|-',
  },
  {
    name: 'presentations of Argentina (psbella/remediar)',
    type: 'medication',
    header: 'droga|marca|presentacion_original|forma|dosis|unidad|cantidad|resto',
    row: 'abacavir|ABACAVIR ELEA|300 mg comp.rec.x 60|COMPRIMIDOS|300 mg|mg|60|x',
    fields: 'generic_name|name|-|form_name|strength|-|-|-',
  },
]
